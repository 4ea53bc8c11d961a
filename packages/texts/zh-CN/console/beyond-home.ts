/** Texts of the signed-in pages that home does without. */
import alertKinds from '../shared/alert-kinds.json' with { type: 'json' }
import activity from './activity.json' with { type: 'json' }
import announcements from './announcements.json' with { type: 'json' }
import backups from './backups.json' with { type: 'json' }
import balance from './billing-balance.json' with { type: 'json' }
import bill from './billing-bill.json' with { type: 'json' }
import billing from './billing-overview.json' with { type: 'json' }
import payment from './billing-payment.json' with { type: 'json' }
import subscription from './billing-subscription.json' with { type: 'json' }
import clustersInstancesPage from './clusters-all-instances.json' with { type: 'json' }
import clustersCreate from './clusters-create.json' with { type: 'json' }
import clustersMonitoringAlerts from './clusters-monitoring-alerts.json' with { type: 'json' }
import clustersPage from './clusters-page.json' with { type: 'json' }
import paid from './clusters-paid.json' with { type: 'json' }
import sessions from './devices.json' with { type: 'json' }
import domains from './domains.json' with { type: 'json' }
import kitTable from './kit-table.json' with { type: 'json' }
import news from './news.json' with { type: 'json' }
import profile from './profile.json' with { type: 'json' }
import suspended from './suspended.json' with { type: 'json' }
import usage from './usage.json' with { type: 'json' }

export default {
  ...alertKinds,
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
