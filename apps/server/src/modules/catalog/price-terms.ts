/**
 * The terms of a sale: everything that a price means, so that they stay the same when the catalogue changes. Their id
 * is their hash, so the same terms are one price whenever and wherever they are sold.
 */

import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import { planNames } from '@atoll/contract/wire'
import { type Currency, currencies, type Money, money, parseRate, type Rate } from '@atoll/money'
import { inEachLocale } from '@atoll/texts/fill-text'
import { z } from 'zod'
import { sha256Hex } from '../../platform/crypto.ts'
import type { CatalogOffering } from './catalog.ts'
import { type CatalogPlan, Quotas } from './plans.ts'
import { Amount, priceIn } from './prices.ts'
import { Words } from './words.ts'

const sold = { title: Words, amount: Amount, currency: z.enum(currencies), interval: z.literal('month') }
const InstanceTerms = z.strictObject({
  kind: z.literal('instance'),
  cloudName: z.string(),
  offering: z.string(),
  cpuCoreCount: z.int(),
  memoryMiB: z.int(),
  diskMiB: z.int(),
  ...sold,
})
const PlanTerms = z.strictObject({
  kind: z.literal('plan'),
  level: z.int(),
  quotas: Quotas,
  /** Major units above the quota; what has none stops there. */
  overage: z.partialRecord(z.enum(meteredProducts), z.string()),
  /** Minor units: the cap on usage of an account that never set one. */
  spendCap: Amount.optional(),
  ...sold,
})
export const PriceTerms = z.discriminatedUnion('kind', [InstanceTerms, PlanTerms])
export type PriceTerms = z.output<typeof PriceTerms>
export type InstanceTerms = z.output<typeof InstanceTerms>
export type PlanTerms = z.output<typeof PlanTerms>

/** The terms of an offering in an account's currency; undefined when it is not sold in it. */
export function termsOfOffering(
  cloudName: string,
  offering: CatalogOffering,
  currency: Currency,
): InstanceTerms | undefined {
  const price = priceIn(offering.price, currency)
  if (!price) return undefined
  const { name, title, cpuCoreCount, memoryMiB, diskMiB } = offering
  const sizes = { cpuCoreCount, memoryMiB, diskMiB }
  return { kind: 'instance', cloudName, offering: name, ...sizes, title, ...amountOf(price) }
}

/**
 * The terms of a plan in an account's currency; undefined when it is not sold in it. The Free plan is, in every one.
 */
export function termsOfPlan(plan: CatalogPlan, currency: Currency): PlanTerms | undefined {
  const price = plan.price ? priceIn(plan.price, currency) : money(0, currency)
  if (!price) return undefined
  const { level, quotas } = plan
  const name = planNames[level] ?? String(level)
  const overage = Object.fromEntries(
    Object.entries(plan.overage).flatMap(([product, rates]) => {
      const rate = rates[currency]
      return rate === undefined ? [] : [[product, rate]]
    }),
  )
  const cap = plan.spendCap && priceIn(plan.spendCap, currency)
  const sold = { title: inEachLocale(() => name), ...amountOf(price) }
  return { kind: 'plan', level, quotas, overage, ...(cap && { spendCap: cap.minor }), ...sold }
}

function amountOf({ minor, currency }: Money) {
  return { amount: minor, currency, interval: 'month' as const }
}

/** A month's price. */
export function priceOfTerms({ amount, currency }: PriceTerms): Money {
  return money(amount, currency)
}

/** The price of a unit above the quota; undefined for a product that stops there. */
export function overageRate({ overage, currency }: PlanTerms, product: MeteredProduct): Rate | undefined {
  const rate = overage[product]
  return rate === undefined ? undefined : parseRate(rate, currency)
}

/** The terms as the text that is kept and hashed: JSON with its keys in order. */
export function textOfTerms(terms: PriceTerms): string {
  return JSON.stringify(terms, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

export function priceIdOf(terms: PriceTerms): string {
  return `price_${sha256Hex(textOfTerms(terms))}`
}
