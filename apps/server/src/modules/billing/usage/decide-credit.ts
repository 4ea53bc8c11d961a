/** Decides what is given back of periods that were billed above what their meters have now. Pure functions. */
import { type Currency, type Money, money, smallerMoney, subtractMoney } from '@atoll/money'
import { correctPeriod, type LessLine } from '../pricing/correct-period.ts'
import type { PeriodUsage } from './period-usage.ts'
import type { BilledUsage } from './reading-store.ts'

export interface Credits {
  /** Of each invoice the lines, or parts of them, that go back. */
  invoices: ReadonlyMap<string, readonly LessLine[]>
  /** The products with the readings for which it goes back. */
  changed: PeriodUsage['usage']
}

export function decideCredits(
  periods: readonly { usage: PeriodUsage['usage']; billed: Pick<BilledUsage, 'lines'> }[],
  currency: Currency,
): Credits {
  const less: LessLine[] = []
  const changed: PeriodUsage['usage'] = []
  for (const { usage, billed } of periods) {
    const items = usage.map(({ item }) => item)
    const found = correctPeriod({ currency, items, billed: billed.lines }).less
    const lines = new Set(found.map(({ invoiceId, line }) => `${invoiceId} ${line}`))
    const products = new Set(
      billed.lines.flatMap((one) => (lines.has(`${one.invoiceId} ${one.line}`) ? [one.key] : [])),
    )
    changed.push(...usage.filter(({ product }) => products.has(product)))
    less.push(...found)
  }
  return { invoices: Map.groupBy(less, ({ invoiceId }) => invoiceId), changed }
}

/** An invoice, and what was paid of it. */
export interface CreditedInvoice {
  total: Money
  /** By credit notes to date. */
  credited: Money
  due: Money
  /** Promotional credit that its payments took, and that was not given back. */
  promo: Money
}

/** First off what is owed; of what was paid promotional credit counts as used first, and goes back to its grants. */
export function splitCredit(
  { total, credited, due, promo: taken }: CreditedInvoice,
  back: Money,
): { offOwed: Money; cash: Money; promo: Money } {
  const offOwed = smallerMoney(back, due)
  const rest = subtractMoney(back, offOwed)
  const kept = total.minor - credited.minor - due.minor - rest.minor
  const promo = smallerMoney(rest, money(Math.max(taken.minor - kept, 0), back.currency))
  return { offOwed, promo, cash: subtractMoney(rest, promo) }
}
