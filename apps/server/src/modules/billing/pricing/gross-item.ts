import type { Money, Period } from '@atoll/money'
import type { BasketItem } from './basket.ts'
import type { Explain } from './explain.ts'

/** An item with its price, before any coupon. */
export interface GrossItem {
  key: string
  kind: BasketItem['kind']
  period: Period
  proration: boolean
  amount: Money
  explain: Explain
  /** Start of the whole period: what a coupon's end is compared with. */
  begins: Date
}
