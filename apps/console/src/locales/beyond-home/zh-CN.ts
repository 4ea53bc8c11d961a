/** Texts of the signed-in pages that home does without. */
import activity from '../../activity/texts/zh-CN.json' with { type: 'json' }
import backups from '../../backups/texts/zh-CN.json' with { type: 'json' }
import balance from '../../balance/texts/zh-CN.json' with { type: 'json' }
import bill from '../../bill/texts/zh-CN.json' with { type: 'json' }
import billing from '../../billing/texts/zh-CN.json' with { type: 'json' }
import clustersCreate from '../../clusters/create/texts/zh-CN.json' with { type: 'json' }
import clustersInstancesPage from '../../clusters/instances-page/texts/zh-CN.json' with { type: 'json' }
import clustersMonitoringAlerts from '../../clusters/monitoring/alerts/texts/zh-CN.json' with { type: 'json' }
import clustersPage from '../../clusters/page/texts/zh-CN.json' with { type: 'json' }
import domains from '../../domains/texts/zh-CN.json' with { type: 'json' }
import kitTable from '../../kit/table/texts/zh-CN.json' with { type: 'json' }
import payment from '../../payment/texts/zh-CN.json' with { type: 'json' }
import profile from '../../profile/texts/zh-CN.json' with { type: 'json' }
import sessions from '../../sessions/texts/zh-CN.json' with { type: 'json' }
import subscription from '../../subscription/texts/zh-CN.json' with { type: 'json' }

export default {
  ...kitTable,
  ...clustersPage,
  ...clustersMonitoringAlerts,
  ...clustersCreate,
  ...clustersInstancesPage,
  ...profile,
  ...sessions,
  ...activity,
  ...bill,
  ...payment,
  ...subscription,
  ...balance,
  ...backups,
  ...billing,
  ...domains,
}
