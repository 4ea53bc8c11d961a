import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface UsageCreditsTable {
  subscription_id: string
  period_start: Date
  userid: string
  covered_minor: number
  priced_minor: number | null
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    usage_credits: UsageCreditsTable
  }
}

/** A period of a plan's subscription. */
export interface PlanPeriod {
  subscriptionId: string
  start: Date
}

/** Up to which amount a period's usage was covered, and what it came to when it was billed as a whole; minor units. */
export async function findCovered(
  db: Db,
  { subscriptionId, start }: PlanPeriod,
): Promise<{ covered: number; priced: number | null } | undefined> {
  return await db
    .selectFrom('usage_credits')
    .select(['covered_minor as covered', 'priced_minor as priced'])
    .where('subscription_id', '=', subscriptionId)
    .where('period_start', '=', start)
    .executeTakeFirst()
}

/**
 * Keeps that so much of a period was covered, and what it came to, never less than before. `priced`: it is billed as a
 * whole.
 */
export async function keepCovered(
  trx: Trx,
  { userid, subscriptionId, start }: PlanPeriod & { userid: string },
  { covered, priced = null }: { covered: number; priced?: number | null },
): Promise<void> {
  await trx
    .insertInto('usage_credits')
    .values({
      subscription_id: subscriptionId,
      period_start: start,
      userid,
      covered_minor: covered,
      priced_minor: priced,
    })
    .onConflict((conflict) =>
      conflict.columns(['subscription_id', 'period_start']).doUpdateSet({
        covered_minor: sql<number>`greatest(usage_credits.covered_minor, excluded.covered_minor)`,
        priced_minor: sql<number | null>`greatest(usage_credits.priced_minor, excluded.priced_minor)`,
      }),
    )
    .execute()
}
