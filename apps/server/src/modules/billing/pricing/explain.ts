/**
 * How a figure came to be, so that anybody can work it out again: what was read, the quota, the rate, the exact result
 * as a fraction, and what it was rounded to. Plain JSON; large numbers are decimal text, instants ISO 8601.
 */
export type Explain = PrepaidExplain | UsageExplain

export interface PrepaidExplain {
  rule: 'prepaid'
  /** Minor units a month. */
  price: number
  /** Of the plan that was paid for before, minor units a month. */
  instead?: number
  /** Seconds of the period, and from its start to where the charge begins. */
  periodSeconds: number
  fromSecond: number
  /** What the whole period costs at that price, less what it costs until then, each rounded half-even. */
  rounded: number
  discount?: DiscountExplain
}

export interface UsageExplain {
  rule: 'usage'
  measure: 'flow' | 'stock'
  periodSeconds: number
  parts: {
    start: string
    seconds: number
    /** 10^-6 units. */
    used: string
    quota: string
    /** 10^-6 units times `periodSeconds` above the quota. */
    above: string
    /** Major units for a unit; null: what is above the quota costs nothing. */
    rate: string | null
  }[]
  /** Minor units, as `numerator/denominator`. */
  exact: string
  rounded: number
  /** What the cap left out, minor units. */
  waived?: number
  discount?: DiscountExplain
}

export interface DiscountExplain {
  code: string
  percentOff?: number
  /** Minor units. */
  amountOff?: number
  /** What the coupon takes in all, and from which sum, minor units. */
  total: number
  of: number
}
