/** The readings and bills that were recorded when a plan's period was billed. */
import type { MeteredProduct } from '@atoll/contract/billing'
import type { Period } from '@atoll/money'
import { z } from 'zod'
import type { Db } from '../../../../platform/db/index.ts'
import type { Reading } from '../meters.ts'
import '../reading-store.ts'

interface PlanPeriod {
  userid: string
  subscriptionId: string
  period: Period
}

const Parts = z.array(z.object({ clusterId: z.string(), network: z.string().optional(), used: z.string() }))

/** A reading that was billed, as it was then. */
export interface KeptReading extends Reading {
  /** When it was read, by the wall's clock. */
  readAt: Date
}

/** The newest reading of each part of a period that is kept, by `keyOfPart`. */
export async function readKept(
  db: Db,
  { subscriptionId, period }: PlanPeriod,
): Promise<ReadonlyMap<string, KeptReading>> {
  const rows = await db
    .selectFrom('usage_readings')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('from_at', '>=', period.start)
    .where('from_at', '<', period.end)
    .orderBy('recorded_at')
    .execute()
  return new Map(
    rows.map(({ product_type, from_at, to_at, recorded_at, ...row }) => [
      keyOfPart(product_type, { start: from_at, end: to_at }),
      {
        used: BigInt(row.used),
        unitLabel: row.unit_label,
        asOf: row.as_of,
        complete: row.complete,
        parts: Parts.parse(JSON.parse(row.parts)).map(({ clusterId, network, used }) => ({
          clusterId,
          used: BigInt(used),
          ...(network !== undefined && { network }),
        })),
        digest: row.digest,
        readAt: recorded_at,
      },
    ]),
  )
}

export function keyOfPart(product: MeteredProduct, { start, end }: Period): string {
  return `${product} ${start.toISOString()} ${end.toISOString()}`
}

/** The bills with a line of the period's usage, the first first. */
export async function listBills(
  db: Db,
  { subscriptionId, period }: PlanPeriod,
): Promise<{ product: MeteredProduct; invoiceId: string; number: string }[]> {
  const rows = await db
    .selectFrom('invoice_items as line')
    .innerJoin('subscription_items', 'subscription_items.id', 'line.item_id')
    .innerJoin('invoices', 'invoices.id', 'line.invoice_id')
    .select(['product_type', 'invoices.id as invoiceId', 'number'])
    .where('subscription_id', '=', subscriptionId)
    .where('revenue', '=', 'usage')
    .where('period_start', '=', period.start)
    .orderBy('issued_at')
    .orderBy('invoices.id')
    .execute()
  return rows.flatMap(({ product_type: product, ...bill }) => (product === 'Instance' ? [] : [{ product, ...bill }]))
}
