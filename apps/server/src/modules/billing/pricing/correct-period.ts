import {
  allocate,
  type Currency,
  type Money,
  money,
  percentOfMoney,
  smallerMoney,
  subtractMoney,
  sumMoney,
} from '@atoll/money'
import type { UsageItem } from './basket.ts'
import type { DiscountExplain } from './explain.ts'
import { atLeastNothing } from './price-prepaid.ts'
import { priceUsage } from './price-usage.ts'

/** A line of an earlier bill of the period, net of credit notes. */
export interface BilledLine {
  invoiceId: string
  line: number
  /** The key of its item. */
  key: string
  amount: Money
  discount: Money
  /** How its discount came to be; absent: it had none. */
  coupon?: Pick<DiscountExplain, 'code' | 'percentOff' | 'amountOff'>
}

export interface PeriodFacts {
  currency: Currency
  /** A product each, as its meters have it now. */
  items: readonly UsageItem[]
  /** In the order in which they were billed. */
  billed: readonly BilledLine[]
  /** The most that the period may cost; absent: no limit. */
  cap?: Money
}

/** The part of a line that is credited, of its amount and of its discount. */
export interface LessLine {
  invoiceId: string
  line: number
  amount: Money
  discount: Money
}

/** How a period that was billed differs from what its meters have now. */
export interface PeriodCorrection {
  /** To bill in addition: the part of each product above the amount billed for it, within what the cap leaves. */
  more: UsageItem[]
  /** To credit: the amount billed above the new price, from the newest line first. */
  less: LessLine[]
}

/**
 * Prices a period again by what its meters have now, with its own plans and quotas, against what was billed of it:
 * what was billed, less `less`, with `more` is the price, and never above the cap. Pure.
 */
export function correctPeriod({ currency, items, billed, cap }: PeriodFacts): PeriodCorrection {
  const nothing = money(0, currency)
  const taken = new Map<BilledLine, Money>()
  const rises: { item: UsageItem; charged: Money }[] = []
  for (const item of items) {
    const { amount: price } = priceUsage({ ...item, charged: nothing }, currency)
    const lines = billed.filter(({ key }) => key === item.key)
    const charged = sumAmounts(lines, currency)
    let above = atLeastNothing(subtractMoney(charged, price))
    for (const line of lines.toReversed()) {
      const part = smallerMoney(line.amount, above)
      above = subtractMoney(above, part)
      if (part.minor > 0) taken.set(line, part)
    }
    if (price.minor > charged.minor) rises.push({ item, charged })
  }
  const kept = subtractMoney(sumAmounts(billed, currency), sumMoney([...taken.values()], currency))
  let left = cap && atLeastNothing(subtractMoney(cap, kept))
  const more: UsageItem[] = []
  for (const { item, charged } of rises) {
    const rest: UsageItem = { ...item, charged, isCorrection: true, ...(left && { cap: left }) }
    const { amount } = priceUsage(rest, currency)
    if (left) left = subtractMoney(left, amount)
    if (amount.minor > 0) more.push(rest)
  }
  const bills = Map.groupBy(billed, ({ invoiceId }) => invoiceId)
  return { more, less: [...bills.values()].flatMap((lines) => lessOf(lines, taken, nothing)) }
}

/** The credits of one bill for its lines of the period, less the discount that no longer applies. */
function lessOf(lines: readonly BilledLine[], taken: ReadonlyMap<BilledLine, Money>, nothing: Money): LessLine[] {
  if (!lines.some((line) => taken.has(line))) return []
  const coupon = lines.find((line) => line.coupon)?.coupon
  // It takes from all of them together, be it nothing from one of very little.
  const reduced = coupon ? lines : []
  const takenOf = (line: BilledLine) => taken.get(line) ?? nothing
  const stays = sumMoney(
    reduced.map((line) => subtractMoney(line.amount, takenOf(line))),
    nothing.currency,
  )
  const discount = sumMoney(
    reduced.map((line) => line.discount),
    nothing.currency,
  )
  const staying = smallerMoney(
    discount,
    coupon?.percentOff === undefined ? stays : percentOfMoney(stays, coupon.percentOff),
  )
  const back = spread(
    subtractMoney(discount, staying),
    reduced.map((line) => ({ line, amount: takenOf(line) })),
  )
  return lines.flatMap((line) => {
    const amount = taken.get(line)
    if (!amount) return []
    const { invoiceId, line: number } = line
    return [{ invoiceId, line: number, amount, discount: back.get(line) ?? nothing }]
  })
}

/** Spreads what goes back of a discount over what goes back of lines: no line keeps more of it than it costs. */
function spread(
  discount: Money,
  parts: readonly { line: BilledLine; amount: Money }[],
): ReadonlyMap<BilledLine, Money> {
  const shares = allocate(
    discount,
    parts.map(({ amount }) => amount),
  )
  const given = new Map<BilledLine, Money>()
  let carried = 0
  for (const [index, { line, amount }] of parts.entries()) {
    const least = Math.max(line.discount.minor - (line.amount.minor - amount.minor), 0)
    const most = Math.min(line.discount.minor, amount.minor)
    const wanted = (shares[index]?.minor ?? 0) + carried
    const share = Math.min(Math.max(wanted, least), most)
    carried = wanted - share
    given.set(line, money(share, discount.currency))
  }
  return given
}

function sumAmounts(lines: readonly BilledLine[], currency: Currency): Money {
  return sumMoney(
    lines.map(({ amount }) => amount),
    currency,
  )
}
