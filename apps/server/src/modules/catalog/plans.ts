import { meteredProducts } from '@atoll/contract/billing'
import { planNames } from '@atoll/contract/wire'
import { type Currency, formatRate, parseRate } from '@atoll/money'
import { z } from 'zod'
import { Prices } from './prices.ts'
import { Words } from './words.ts'

/** Decimal text in major units for a GB or, of storage and backup, a GB-month. */
function rateIn(currency: Currency) {
  return z
    .string('must be text in quotes, such as "0.02"')
    .transform((text, context) => {
      const rate = parseRate(text, currency)
      if (rate) return formatRate(rate)
      context.addIssue({ code: 'custom', message: 'must be an amount such as "0.02"' })
      return z.NEVER
    })
    .optional()
}
const Rates = z.strictObject({ usd: rateIn('usd'), cny: rateIn('cny') })

const Quota = z.int().min(0).max(1_000_000_000)
export const Quotas = z.strictObject({
  /** Cores of everything it may have; absent: what the setting says. */
  vCpu: Quota.optional(),
  storageGB: Quota,
  backupGB: Quota,
  trafficGB: Quota,
  cdnGB: Quota,
  bandwidthMbit: Quota,
  /** Proofs of a backup a month. */
  drills: Quota.default(0),
})
export type Quotas = z.output<typeof Quotas>

export const Plan = z
  .strictObject({
    /** 0 Free to 3 Pro (spec §4). */
    level: z
      .int()
      .min(0)
      .max(planNames.length - 1),
    /** Whom it is for. */
    summary: Words.optional(),
    /** A month; only the Free plan has none. */
    price: Prices.optional(),
    /** Above the quota; a product that is absent stops there and is never charged. */
    overage: z.partialRecord(z.enum(meteredProducts), Rates).default({}),
    quotas: Quotas,
    /**
     * The default cap on the cost of usage above the quotas in a period, for accounts that never set one; absent: there
     * is none.
     */
    spendCap: Prices.optional(),
  })
  .superRefine(({ level, price }, context) => {
    if (level === 0 && price !== undefined)
      context.addIssue({ code: 'custom', path: ['price'], message: 'the Free plan has none' })
    if (level > 0 && price === undefined) context.addIssue({ code: 'custom', path: ['price'], message: 'is missing' })
  })
export type CatalogPlan = z.output<typeof Plan>
