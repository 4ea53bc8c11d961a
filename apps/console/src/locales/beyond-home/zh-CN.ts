/** Texts of the signed-in pages that home does without. */
import activity from '../../activity/texts/zh-CN.json' with { type: 'json' }
import announcements from '../../announcements/texts/zh-CN.json' with { type: 'json' }
import backups from '../../backups/texts/zh-CN.json' with { type: 'json' }
import balance from '../../billing/balance/texts/zh-CN.json' with { type: 'json' }
import bill from '../../billing/bill/texts/zh-CN.json' with { type: 'json' }
import billing from '../../billing/overview/texts/zh-CN.json' with { type: 'json' }
import payment from '../../billing/payment/texts/zh-CN.json' with { type: 'json' }
import subscription from '../../billing/subscription/texts/zh-CN.json' with { type: 'json' }
import clustersInstancesPage from '../../clusters/all-instances/texts/zh-CN.json' with { type: 'json' }
import clustersCreate from '../../clusters/create/texts/zh-CN.json' with { type: 'json' }
import clustersMonitoringAlerts from '../../clusters/monitoring/alerts/texts/zh-CN.json' with { type: 'json' }
import clustersPage from '../../clusters/page/texts/zh-CN.json' with { type: 'json' }
import paid from '../../clusters/paid/texts/zh-CN.json' with { type: 'json' }
import sessions from '../../devices/texts/zh-CN.json' with { type: 'json' }
import domains from '../../domains/texts/zh-CN.json' with { type: 'json' }
import kitTable from '../../kit/table/texts/zh-CN.json' with { type: 'json' }
import news from '../../news/texts/zh-CN.json' with { type: 'json' }
import profile from '../../profile/texts/zh-CN.json' with { type: 'json' }
import suspended from '../../suspended/texts/zh-CN.json' with { type: 'json' }
import usage from '../../usage/texts/zh-CN.json' with { type: 'json' }

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
  ...paid,
  ...payment,
  ...subscription,
  ...balance,
  ...backups,
  ...billing,
  ...domains,
  ...usage,
  ...suspended,
  ...news,
  ...announcements,
}
