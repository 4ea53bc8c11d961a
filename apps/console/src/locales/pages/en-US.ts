/** Texts of home, of the frame and of what opens over every signed-in page, fetched with the first of them. */
import appPalette from '../../app/palette/texts/en-US.json' with { type: 'json' }
import money from '../../billing/shared/texts/en-US.json' with { type: 'json' }
import clustersActions from '../../clusters/actions/texts/en-US.json' with { type: 'json' }
import clustersCard from '../../clusters/card/texts/en-US.json' with { type: 'json' }
import clustersOrder from '../../clusters/order/texts/en-US.json' with { type: 'json' }
import home from '../../home/texts/en-US.json' with { type: 'json' }
import signinLocked from '../../signin/locked/texts/en-US.json' with { type: 'json' }

export default {
  ...home,
  ...clustersCard,
  ...clustersActions,
  ...clustersOrder,
  ...money,
  ...appPalette,
  ...signinLocked,
}
