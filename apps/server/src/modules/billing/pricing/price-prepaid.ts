import { type Money, money, prorate, secondsBetween, subtractMoney } from '@atoll/money'
import type { InstanceItem, PlanItem } from './basket.ts'
import type { PrepaidExplain } from './explain.ts'
import type { GrossItem } from './gross-item.ts'

/**
 * What is paid ahead: the period from `at` on, whole when it begins then or later. A plan instead of another costs the
 * rest at the new price less the old one, and never less than nothing.
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
