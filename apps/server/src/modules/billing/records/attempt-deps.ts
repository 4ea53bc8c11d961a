import type { Db } from '../../../platform/db/index.ts'
import type { ChangeFeed } from '../../../platform/events/index.ts'
import type { Accounts } from '../../accounts/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import type { OrderDeps } from '../billing-deps.ts'

/** Dependencies of charging cards. */
export interface AttemptDeps extends OrderDeps {
  db: Db
  feed: ChangeFeed
  accounts: OrderDeps['accounts'] & Pick<Accounts, 'getLimits'>
  gateway: PaymentGateway
  /** How long a call that pays waits for the outcome, ms; default 10 s (design: billing, "Order and payment"). */
  outcomeMs?: number
  /** The consoles to which the gateway's pages lead back. */
  config: { publicUrl: string; chinaUrl: string }
}
