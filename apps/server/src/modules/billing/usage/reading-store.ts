import type { MeteredProduct } from '@atoll/contract/billing'
import { type Currency, type Money, money, type Period } from '@atoll/money'
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { ReadUsage } from './read-usage.ts'

interface UsageReadingsTable {
  id: string
  userid: string
  subscription_id: string
  product_type: MeteredProduct
  from_at: Date
  to_at: Date
  /** 10^-6 units, decimal text. */
  used: string
  unit_label: string
  as_of: Date
  complete: boolean
  /** JSON. */
  parts: string
  digest: string
  recorded_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    usage_readings: UsageReadingsTable
  }
}

/** Keeps what a bill is made of. */
export async function insertReadings(
  trx: Trx,
  { userid, subscriptionId, product }: { userid: string; subscriptionId: string; product: MeteredProduct },
  readings: ReadUsage['readings'],
  recordedAt: Date,
): Promise<void> {
  if (readings.length === 0) return
  await trx
    .insertInto('usage_readings')
    .values(
      readings.map(({ part, reading }) => ({
        ...{ id: newId('ur'), userid, subscription_id: subscriptionId, product_type: product },
        ...{ from_at: part.start, to_at: part.end, used: String(reading.used), unit_label: reading.unitLabel },
        ...{ as_of: reading.asOf, complete: reading.complete, digest: reading.digest, recorded_at: recordedAt },
        parts: JSON.stringify(reading.parts.map((one) => ({ ...one, used: String(one.used) }))),
      })),
    )
    .execute()
}

/** What has been charged for a subscription's usage in a period, by product and in all, before any discount. */
export async function readCharged(
  db: Db,
  { subscriptionId, currency }: { subscriptionId: string; currency: Currency },
  period: Period,
): Promise<{ of(product: MeteredProduct): Money; total: Money }> {
  const rows = await db
    .selectFrom('invoice_items')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .select(['product_type', sql<number>`sum(amount_minor)::bigint`.as('charged')])
    .where('subscription_id', '=', subscriptionId)
    .where('revenue', '=', 'usage')
    .where('period_start', '=', period.start)
    .groupBy('product_type')
    .execute()
  const charged = new Map<string, number>(rows.map((row) => [row.product_type, row.charged]))
  const total = [...charged.values()].reduce((sum, minor) => sum + minor, 0)
  return { of: (product) => money(charged.get(product) ?? 0, currency), total: money(total, currency) }
}
