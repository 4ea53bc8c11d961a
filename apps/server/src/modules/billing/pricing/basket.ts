/**
 * Input and result of `priceBasket`. Facts only: the caller has read them, and nothing here reads a clock, a catalogue
 * or a database.
 */
import type { Currency, Money, Period, Rate } from '@atoll/money'
import type { Explain } from './explain.ts'

/** An instance for a month, of its cluster's subscription. */
export interface InstanceItem {
  kind: 'instance'
  /** Names the item among those of its basket. */
  key: string
  /** Whose period it is; absent: of a subscription that begins with it. */
  subscription?: string
  /** A month. */
  price: Money
  period: Period
}

/** A plan for a month. */
export interface PlanItem {
  kind: 'plan'
  key: string
  subscription?: string
  price: Money
  period: Period
  /** The price that was paid for this period already: the rest of it costs the difference. */
  instead?: Money
}

/** Usage in a time during which quota and rate stayed the same. */
export interface UsagePart {
  part: Period
  /** 10^-6 units: GB of a flow, GB-months of what is stored. */
  used: bigint
  /** 10^-6 units, of a whole period. */
  quota: bigint
  /** Price of a unit above the quota; absent: no charge, because the product stops there. */
  rate?: Rate
}

/** A metered product over a period that has ended, or until now; a part for each plan it was on. */
export interface UsageItem {
  kind: 'usage'
  key: string
  subscription?: string
  period: Period
  /** Whether it flows (GB), or is stored (GB-months), when a part of the period has that part of the quota. */
  measure: 'flow' | 'stock'
  parts: readonly UsagePart[]
  /** The amount charged for it before; only the rest is charged. */
  charged?: Money
  /** The amount left under the cap of its own period; absent: that period has no cap. */
  cap?: Money
  /** Its period was billed before: this is what its readings have come to since. */
  isCorrection?: true
}

export type BasketItem = InstanceItem | PlanItem | UsageItem

export interface CouponFacts {
  code: string
  percentOff?: number
  /** In the basket's currency; a coupon without an amount in it takes nothing. */
  amountOff?: Money
  appliesTo: readonly BasketItem['kind'][]
  /** It is used on one invoice, and stays where it would take too little. */
  isOnce?: boolean
  /** For so many periods, of which none was reduced yet: the first that is begins the count. */
  months?: number
  /** Items whose period begins then or later are not reduced any more. */
  endsAt?: Date
  /** The first period that was reduced: none before it of that subscription is. */
  begins?: { subscription: string; from: Date }
  /** Of an amount: the subscription whose periods it is taken in, once in each; absent: it is bound by this invoice. */
  boundTo?: string
  /** Its discounts so far, minor units, with their periods. */
  takes?: readonly { subscription: string; period: Period; minor: number }[]
  /** It is not taken where nothing would be left to pay. */
  leavesSomething?: boolean
}

export interface BasketFacts {
  currency: Currency
  items: readonly BasketItem[]
  /** Those that may be used on this invoice, the first redeemed first. */
  coupons: readonly CouponFacts[]
  /** Corrections of periods that were billed before, by their newest readings, each with the coupons of its own. */
  corrections?: readonly { items: readonly UsageItem[]; coupons: readonly CouponFacts[] }[]
  /** The most that usage may cost in this basket, counted in the order of the items; absent: no cap. */
  usageCap?: Money
  /** The means that pay it. */
  means: Means
}

export interface Means {
  promo: Money
  /** As the ledger has it: negative is the customer's credit, positive what was rolled and is owed. */
  cash: Money
  /** Whether too small a part for a card waits for the next bill: always, but for an order only with a card on file. */
  mayRoll: boolean
}

export interface PricedItem {
  key: string
  kind: BasketItem['kind']
  /** The time that is charged. */
  period: Period
  /** Whether that is less than the whole period. */
  proration: boolean
  /** Before the discount; what is above the cap is not in it. */
  amount: Money
  discount: Money
  /** `amount` less `discount`: what a refund returns of it. */
  net: Money
  explain: Explain
}

/** How an amount is paid: `promo`, `balance`, `rolled` and `card` less `collected` sum to it. */
export interface PaymentSplit {
  promo: Money
  balance: Money
  /** With what was owed. */
  card: Money
  /** The part of `card` that pays what was rolled before. */
  collected: Money
  /** Waits for the next bill, because it is too little for a card. */
  rolled: Money
}

export interface PricedBasket {
  items: PricedItem[]
  /** Sum of the items' amounts. */
  gross: Money
  discount: Money
  /** Sum of the items' nets: what the invoice says. */
  total: Money
  coupon?: { code: string; discount: Money }
  split: PaymentSplit
}
