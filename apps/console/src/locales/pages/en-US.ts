/** Texts of the signed-in pages, fetched with the first of them. */
import activity from '../../activity/texts/en-US.json' with { type: 'json' }
import appPalette from '../../app/palette/texts/en-US.json' with { type: 'json' }
import balance from '../../balance/texts/en-US.json' with { type: 'json' }
import bill from '../../bill/texts/en-US.json' with { type: 'json' }
import clustersActions from '../../clusters/actions/texts/en-US.json' with { type: 'json' }
import clustersCard from '../../clusters/card/texts/en-US.json' with { type: 'json' }
import clustersCreate from '../../clusters/create/texts/en-US.json' with { type: 'json' }
import clustersInstancesPage from '../../clusters/instances-page/texts/en-US.json' with { type: 'json' }
import clustersOrder from '../../clusters/order/texts/en-US.json' with { type: 'json' }
import clustersPage from '../../clusters/page/texts/en-US.json' with { type: 'json' }
import home from '../../home/texts/en-US.json' with { type: 'json' }
import kitTable from '../../kit/table/texts/en-US.json' with { type: 'json' }
import money from '../../money/texts/en-US.json' with { type: 'json' }
import payment from '../../payment/texts/en-US.json' with { type: 'json' }
import profile from '../../profile/texts/en-US.json' with { type: 'json' }
import sessions from '../../sessions/texts/en-US.json' with { type: 'json' }
import signinLocked from '../../signin/locked/texts/en-US.json' with { type: 'json' }
import subscription from '../../subscription/texts/en-US.json' with { type: 'json' }

export default {
  ...kitTable,
  ...home,
  ...clustersCard,
  ...clustersActions,
  ...clustersOrder,
  ...clustersPage,
  ...clustersCreate,
  ...clustersInstancesPage,
  ...profile,
  ...sessions,
  ...activity,
  ...money,
  ...bill,
  ...payment,
  ...subscription,
  ...balance,
  ...appPalette,
  ...signinLocked,
}
