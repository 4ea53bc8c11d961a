/** Texts of home, of the frame and of what opens over every signed-in page, fetched with the first of them. */
import appPalette from './app-palette.json' with { type: 'json' }
import money from './billing-shared.json' with { type: 'json' }
import clustersActions from './clusters-actions.json' with { type: 'json' }
import clustersCard from './clusters-card.json' with { type: 'json' }
import clustersOrder from './clusters-order.json' with { type: 'json' }
import home from './home.json' with { type: 'json' }
import kitSite from './kit-site.json' with { type: 'json' }
import signinLocked from './signin-locked.json' with { type: 'json' }

export default {
  ...home,
  ...clustersCard,
  ...clustersActions,
  ...clustersOrder,
  ...money,
  ...appPalette,
  ...kitSite,
  ...signinLocked,
}
