/** Decides about one try to collect a bill, from what was loaded. Pure functions. */
import type { Method } from '../pay/begin-payment.ts'
import type { Bill } from '../pay/bills/load-bill.ts'
import { isUnderWay } from '../pay/cancel-open-payment.ts'
import type { BillCard } from '../pay/other-card.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import { tryGaps } from '../records/dunning-days.ts'

/** `pastDue`: all tries have failed. */
export type TryStep = 'nothing' | 'wait' | 'pastDue' | 'try'

export function decideTry({ invoice, isHeldUp, open, tries }: Pick<Bill, 'isHeldUp' | 'tries'> & Standing): TryStep {
  if (invoice.state !== 'open') return 'nothing'
  if (isHeldUp || (open && isUnderWay(open))) return 'wait'
  if (tries === null) throw new Error('Nothing says how often it was tried to collect the bill.')
  return tries > tryGaps.length ? 'pastDue' : 'try'
}

/** Where a bill stands, of what else may be known. */
interface Standing {
  invoice: Pick<Bill['invoice'], 'state'>
  open: Pick<NonNullable<Bill['open']>, 'state' | 'method_id'> | undefined
}

/**
 * Whether the account can pay a bill whole, with what it has and this card, and by which method: null where there is no
 * card to charge. Nothing is begun, and nothing set aside, where that cannot be enough, as without a card or with one
 * that is dead, or where another account used the bill's coupon with the card.
 */
export function decidePay(
  { due, means }: Pick<Bill, 'due' | 'means'>,
  card: BillCard | null,
): { pays: false } | { pays: true; method: Method | null } {
  const living = card?.isDead ? null : card
  const { card: rest } = splitPayment(due, { ...means, mayRoll: true })
  if (living ? living.isCouponUsed : rest.minor > 0) return { pays: false }
  return { pays: true, method: living?.method ?? null }
}
