/** Texts of the signed-in pages, fetched with the first of them. */
import activity from '../../activity/texts/zh-CN.json' with { type: 'json' }
import appPalette from '../../app/palette/texts/zh-CN.json' with { type: 'json' }
import balance from '../../balance/texts/zh-CN.json' with { type: 'json' }
import bill from '../../bill/texts/zh-CN.json' with { type: 'json' }
import clustersActions from '../../clusters/actions/texts/zh-CN.json' with { type: 'json' }
import clustersCard from '../../clusters/card/texts/zh-CN.json' with { type: 'json' }
import clustersCreate from '../../clusters/create/texts/zh-CN.json' with { type: 'json' }
import clustersInstancesPage from '../../clusters/instances-page/texts/zh-CN.json' with { type: 'json' }
import clustersOrder from '../../clusters/order/texts/zh-CN.json' with { type: 'json' }
import clustersPage from '../../clusters/page/texts/zh-CN.json' with { type: 'json' }
import home from '../../home/texts/zh-CN.json' with { type: 'json' }
import kitTable from '../../kit/table/texts/zh-CN.json' with { type: 'json' }
import money from '../../money/texts/zh-CN.json' with { type: 'json' }
import payment from '../../payment/texts/zh-CN.json' with { type: 'json' }
import profile from '../../profile/texts/zh-CN.json' with { type: 'json' }
import sessions from '../../sessions/texts/zh-CN.json' with { type: 'json' }
import signinLocked from '../../signin/locked/texts/zh-CN.json' with { type: 'json' }
import subscription from '../../subscription/texts/zh-CN.json' with { type: 'json' }

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
