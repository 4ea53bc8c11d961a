/**
 * Usage by cluster and by day, for the running period and all before it (design/look, board 45). Figures of a billed
 * period are those of the readings that were billed.
 */
import { z } from 'zod'
import { type CallData, defineCall } from '../../wire/call.ts'
import { Currency, IsoTime, WireInt } from '../../wire/fields.ts'
import { pageOf, pageQuery } from '../../wire/paging.ts'
import { InvoiceId } from '../fields.ts'
import { MeteredProduct } from './products.ts'

/** Usage of a product in a period; quantities in `unitLabel`, with up to six decimals. */
const PeriodProduct = z.object({
  productType: MeteredProduct,
  used: z.number(),
  quota: z.number(),
  /** The part of `used` above the quota that counted at the time. */
  overage: z.number(),
  unitLabel: z.string(),
  /**
   * Minor units, before discounts: billed less credited; for a period that is not billed yet, its cost until now.
   */
  amount: z.int(),
  currency: Currency,
  /** The bills with lines of it, the first first. */
  invoices: z.array(z.object({ invoiceId: InvoiceId, number: z.string() })),
})

const period = {
  /** Inclusive. */
  start: IsoTime,
  /** Exclusive; names the period among those of the account. */
  end: IsoTime,
  isRunning: z.boolean(),
  /** Whether all of it has been billed; on Free nothing is, and false. */
  isBilled: z.boolean(),
  /** The last plan of the period. */
  planLevel: z.int(),
}

export const UsagePeriod = z.object({ ...period, products: z.array(PeriodProduct) })
export type UsagePeriod = z.infer<typeof UsagePeriod>

export const usagePeriods = defineCall({
  name: 'usagePeriods',
  path: '/v1/bill/usage/periods',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'The periods since the account began in which usage was counted and that are over, the newest first.',
  body: pageQuery({}),
  data: pageOf({ periods: z.array(UsagePeriod), running: z.object({ start: IsoTime, end: IsoTime }) }),
})

/** A period by the end that `usage/periods` says it has; without one, the one that is running. */
export const UsageDaysFilter = z.strictObject({ end: IsoTime.optional() })
export type UsageDaysFilter = z.infer<typeof UsageDaysFilter>

const ClusterDays = z.object({
  clusterId: z.string(),
  /** As it is called now, or was when it was destroyed; of a line of a bill: when that was issued. */
  name: z.string(),
  used: z.number(),
  overage: z.number(),
  /** Minor units, a share of the product's `amount`. */
  amount: z.int(),
  /** A figure for each of `days`. */
  days: z.array(z.number()),
})

export const UsageDays = z.object({
  ...period,
  /** Until when it was read. */
  asOf: IsoTime,
  /** Of the whole period whose quotas count, which another plan may have ended before: GB-months are shares of it. */
  periodSeconds: z.int(),
  /** Every day that the period has a part of, in the account's zone: `2026-11-04`. */
  days: z.array(z.iso.date()),
  products: z.array(
    PeriodProduct.extend({
      /** The most first; they and their days add up to the product's `used` and `overage`. */
      clusters: z.array(ClusterDays),
    }),
  ),
})
export type UsageDays = z.infer<typeof UsageDays>

export const usageDays = defineCall({
  name: 'usageDays',
  path: '/v1/bill/usage/days',
  reach: 'self',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'Use by each cluster on each day of a period, and its share of the cost.',
  body: UsageDaysFilter,
  data: UsageDays,
})

export const usageLine = defineCall({
  name: 'usageLine',
  path: '/v1/bill/usage/line',
  reach: 'private',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'How usage above the quota that a line of a bill charges came about: when, and by which cluster.',
  body: z.strictObject({ invoiceId: InvoiceId, line: WireInt.pipe(z.int().min(1).max(10_000)) }),
  data: z.object({
    productType: MeteredProduct,
    /** The period that the line charges; exclusive of its end. */
    start: IsoTime,
    end: IsoTime,
    periodSeconds: z.int(),
    /** Names the period in `usage/days`; null: that has none like it. */
    listedEnd: IsoTime.nullable(),
    unitLabel: z.string(),
    used: z.number(),
    overage: z.number(),
    /** Minor units, before the discount. */
    amount: z.int(),
    currency: Currency,
    /** Of what flows: the start of the hour in which what is included was used up; null: it was not, or is stored. */
    usedUpAt: IsoTime.nullable(),
    /** In the zone of the bill: of what flows those from `usedUpAt` on, of what is stored all. */
    days: z.array(z.iso.date()),
    /**
     * The most first, by the readings of the bill; their `used`, `overage` and `amount` add up to those of the line.
     * `days` are of what flows the usage above what is included, of what is stored all usage. Empty where the readings
     * of an old bill do not add up to it.
     */
    clusters: z.array(ClusterDays),
  }),
})
export type UsageLine = CallData<typeof usageLine>

/** Usage by day and cluster as CSV: POST with the fields of `UsageDaysFilter`; a refusal is an envelope in JSON. */
export const usageExportPath = '/v1/bill/usage/export'
