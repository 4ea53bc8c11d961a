import type { Money, Period } from '@atoll/money'
import type { BasketItem } from './basket.ts'
import type { Explain } from './explain.ts'

/** An item with its price, before any coupon. */
export interface GrossItem {
  key: string
  kind: BasketItem['kind']
  /** The time that is charged. */
  period: Period
  proration: boolean
  amount: Money
  explain: Explain
  /** The whole period, and whose it is; empty: of a subscription that begins with it. */
  whole: Period
  subscription: string
}
