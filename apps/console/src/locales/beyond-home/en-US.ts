/** Texts of the signed-in pages that home does without. */
import activity from '../../activity/texts/en-US.json' with { type: 'json' }
import announcements from '../../announcements/texts/en-US.json' with { type: 'json' }
import backups from '../../backups/texts/en-US.json' with { type: 'json' }
import balance from '../../billing/balance/texts/en-US.json' with { type: 'json' }
import bill from '../../billing/bill/texts/en-US.json' with { type: 'json' }
import billing from '../../billing/overview/texts/en-US.json' with { type: 'json' }
import payment from '../../billing/payment/texts/en-US.json' with { type: 'json' }
import subscription from '../../billing/subscription/texts/en-US.json' with { type: 'json' }
import clustersInstancesPage from '../../clusters/all-instances/texts/en-US.json' with { type: 'json' }
import clustersCreate from '../../clusters/create/texts/en-US.json' with { type: 'json' }
import clustersMonitoringAlerts from '../../clusters/monitoring/alerts/texts/en-US.json' with { type: 'json' }
import clustersPage from '../../clusters/page/texts/en-US.json' with { type: 'json' }
import paid from '../../clusters/paid/texts/en-US.json' with { type: 'json' }
import sessions from '../../devices/texts/en-US.json' with { type: 'json' }
import domains from '../../domains/texts/en-US.json' with { type: 'json' }
import kitTable from '../../kit/table/texts/en-US.json' with { type: 'json' }
import news from '../../news/texts/en-US.json' with { type: 'json' }
import profile from '../../profile/texts/en-US.json' with { type: 'json' }
import suspended from '../../suspended/texts/en-US.json' with { type: 'json' }
import usage from '../../usage/texts/en-US.json' with { type: 'json' }

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
