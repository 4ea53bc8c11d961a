import type { Coupon, MonthAhead } from '@atoll/contract/billing'
import { type Currency, divideHalfEven, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import { couponJson } from '../../pricing/coupons/coupon-json.ts'
import { listUsable } from '../../records/coupon-store.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import type { ChargedLine } from './charged-lines.ts'

/** So many months of a coupon stand in a line each. */
const mostMonths = 3

/**
 * The monthly cost of an order after its first bill, with its coupon while that is valid. Empty for any other invoice.
 */
export async function readMonthsAhead(
  db: Db,
  { userid, kind, state, currency, coupon: code }: InvoiceRow,
  lines: readonly ChargedLine[],
): Promise<MonthAhead[]> {
  const [first] = lines
  if (kind !== 'order' || state === 'void' || !first) return []
  const { anchor } = await db
    .selectFrom('subscriptions')
    .select('anchor')
    .where('id', '=', first.subscription_id)
    .executeTakeFirstOrThrow()
  // One that takes nothing any more, as after its only bill, is no longer among them.
  const redemption = code === null ? undefined : (await listUsable(db, userid)).find((one) => one.coupon.code === code)
  const monthly = lines.reduce((sum, line) => sum + priceOf(line), 0)
  return monthsAhead(
    { anchor, begins: first.period_start <= anchor, next: first.period_end, zone: first.zone, currency, monthly },
    redemption && couponJson(redemption),
  )
}

/** The price of a line for a whole month; 0 for usage, which depends on its amount. */
function priceOf({ product_type, terms }: ChargedLine): number {
  return product_type === 'Instance' ? terms.amount : 0
}

interface GoesOn {
  /** Of its subscription, and from when on the next bill charges. */
  anchor: Date
  next: Date
  /** Whether that begins with the order; what it had before has an amount taken off once a period already. */
  begins: boolean
  zone: Zone
  currency: Currency
  /** Minor units of a whole month, before any discount. */
  monthly: number
}

/**
 * Each month that the coupon still reduces, and from when on the whole price is charged. Of a coupon with many months
 * the first and the end.
 */
export function monthsAhead(
  { anchor, next, begins, zone, currency, monthly }: GoesOn,
  coupon: Coupon | undefined,
): MonthAhead[] {
  const plain = (at: Date): MonthAhead => ({ at: at.toISOString(), amount: monthly, goesOn: true })
  if (!coupon || coupon.duration === 'once' || !coupon.appliesTo.includes('instance')) return [plain(next)]
  if (coupon.amountOff && !begins) return [plain(next)]
  const amount = monthly - Math.min(takenOf(monthly, coupon, currency), monthly)
  const reduced = (at: Date, goesOn: boolean): MonthAhead => ({
    at: at.toISOString(),
    amount,
    code: coupon.code,
    goesOn,
  })
  if (coupon.duration === 'forever') return [reduced(next, true)]
  const end = coupon.endsAt === undefined ? undefined : new Date(coupon.endsAt)
  if (!end || end <= next) return [plain(next)]
  const months: Date[] = []
  for (let index = periodIndexAt(anchor, next, zone); ; index += 1) {
    const { start } = periodAt(anchor, index, zone)
    if (start < end) months.push(start)
    else if (months.length > mostMonths) return [reduced(next, true), plain(start)]
    else return [...months.map((at) => reduced(at, false)), plain(start)]
  }
}

function takenOf(monthly: number, { percentOff, amountOff }: Coupon, currency: Currency): number {
  if (percentOff === undefined) return amountOff?.[currency] ?? 0
  return Number(divideHalfEven(BigInt(monthly) * BigInt(percentOff), 100n))
}
