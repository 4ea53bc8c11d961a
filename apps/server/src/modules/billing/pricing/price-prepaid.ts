import { type Money, money, prorate, secondsBetween, subtractMoney } from '@atoll/money'
import type { InstanceItem, PlanItem } from './basket.ts'
import type { PrepaidExplain } from './explain.ts'
import type { GrossItem } from './gross-item.ts'

/**
 * Price of a prepaid item: for the period from `at` on, or the whole period if it begins then or later. A plan in place
 * of another costs the new price less the old one for the rest of the period, and at least zero.
 */
export function pricePrepaid(item: InstanceItem | PlanItem, at: Date): GrossItem {
  const { price, period } = item
  const instead = item.kind === 'plan' ? item.instead : undefined
  const start = new Date(Math.min(Math.max(period.start.getTime(), at.getTime()), period.end.getTime()))
  const rest = { start, end: period.end }
  const charged = instead ? atLeastNothing(subtractMoney(price, instead)) : price
  const amount = prorate(charged, period, rest)
  const explain: PrepaidExplain = {
    rule: 'prepaid',
    price: price.minor,
    ...(instead && { instead: instead.minor }),
    periodSeconds: secondsBetween(period.start, period.end),
    fromSecond: secondsBetween(period.start, start),
    rounded: amount.minor,
  }
  return {
    key: item.key,
    kind: item.kind,
    period: rest,
    proration: start > period.start,
    amount,
    explain,
    whole: period,
    subscription: item.subscription ?? '',
  }
}

export function atLeastNothing(amount: Money): Money {
  return amount.minor < 0 ? money(0, amount.currency) : amount
}
