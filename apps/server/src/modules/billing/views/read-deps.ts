import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Accounts } from '../../accounts/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'

/** Dependencies of the calls that only read, given by `composition/`. */
export interface ReadDeps {
  db: Db
  clock: Clock
  accounts: Pick<Accounts, 'getLimits'>
  /** Whose cards are charged; the sandbox's accounts may move their clock. */
  gateway: Pick<PaymentGateway, 'name'>
}
