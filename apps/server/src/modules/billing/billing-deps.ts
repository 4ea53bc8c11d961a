import type { Clock } from '../../platform/clock.ts'
import type { Trx } from '../../platform/db/index.ts'
import type { Accounts } from '../accounts/index.ts'

/** What selling and settling are given by `composition.ts`. */
export interface OrderDeps {
  clock: Clock
  /** Locks the account, and tells what it pays in and the zone of its months. */
  accounts: Pick<Accounts, 'lockLimits'>
  /** Has the reconciler look at the cluster again, when `trx` commits. */
  wakeCluster(trx: Trx, clusterId: string): Promise<void>
}
