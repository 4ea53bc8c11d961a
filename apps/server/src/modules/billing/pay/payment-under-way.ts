import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { cancelOpenPayment } from './cancel-open-payment.ts'

interface HeldUp {
  userid: string
  invoiceId: string
  /** Whether an order that nobody paid is to lapse with its payment. */
  isOrder: boolean
}

/** A change is refused because a card may be charged right now for what it ends. */
export class PaymentUnderWay extends Refusal {
  readonly by: HeldUp

  constructor(by: HeldUp) {
    super('paymentUnderWay')
    this.by = by
  }
}

/**
 * Makes a change. Where a payment is in its way, the gateway is asked to end that, so that the change can be repeated:
 * in a transaction of its own, for the refusal leaves nothing of the change's.
 */
export async function cancelingPayments<T>(
  { db, clock, accounts }: { db: Db; clock: Clock; accounts: Pick<Accounts, 'lockLimits'> },
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof PaymentUnderWay)) throw error
    const { userid, invoiceId, isOrder } = error.by
    await db.transaction().execute(async (trx) => {
      const at = accountNow(await accounts.lockLimits(trx, userid), clock.now())
      await cancelOpenPayment(trx, { invoiceId, at, because: isOrder ? 'lapse' : 'another' })
    })
    throw error
  }
}
