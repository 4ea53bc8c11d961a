import type { Clock } from '../../platform/clock.ts'
import type { Trx } from '../../platform/db/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { LiveCatalog } from '../catalog/index.ts'
import type { Mail } from '../mail/index.ts'

/** Dependencies of selling and settling, given by `composition/`. */
export interface OrderDeps {
  clock: Clock
  /** Locks the account, reads what it pays in and the zone of its months, and puts it on a plan that was paid. */
  accounts: Pick<Accounts, 'lockLimits' | 'putOnPlan'>
  catalog: Pick<LiveCatalog, 'current'>
  mail: Pick<Mail, 'post'>
  /**
   * Records up to which amount the account's usage is covered now, before balance, credit or card that cover it change:
   * that amount stays owed whatever covers usage later. Under the account's lock.
   */
  keepUsageCovered(trx: Trx, userid: string): Promise<void>
  /** Enqueues a reconcile of the cluster when `trx` commits. */
  wakeCluster(trx: Trx, clusterId: string): Promise<void>
}
