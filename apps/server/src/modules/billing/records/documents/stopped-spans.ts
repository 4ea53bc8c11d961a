/** When the machines of a cluster were stopped, for a bill or by our fault: time that is not charged. */
import type { Period } from '@atoll/money'
import { type Generated, sql } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'

interface StoppedSpansTable {
  subscription_id: string
  from_at: Date
  /** Null while it lasts. */
  until_at: Generated<Date | null>
}

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    stopped_spans: StoppedSpansTable
  }
}

/** Begins and ends the spans of subscriptions whose items have just moved on. A plan's stops no machine. */
export async function followStops(trx: Trx, subscriptionIds: readonly string[], at: Date): Promise<void> {
  // One that ends in the instant in which it began goes on from there.
  await sql`
    insert into stopped_spans (subscription_id, from_at)
      select id, ${at} from subscriptions
      where id = any(${subscriptionIds}) and state = 'past_due' and cluster_id is not null
        and not exists (select from stopped_spans where subscription_id = id and until_at is null)
    on conflict on constraint stopped_spans_pkey do update set until_at = null`.execute(trx)
  // A refund may be priced some minutes back: never to before the span.
  await sql`
    update stopped_spans set until_at = greatest(from_at, ${at}::timestamptz) from subscriptions
    where id = subscription_id and id = any(${subscriptionIds}) and state <> 'past_due' and until_at is null`.execute(
    trx,
  )
}

/** The spans of each of these subscriptions; one that lasts is given until `at`. */
export async function listStops(
  db: Db,
  subscriptionIds: readonly string[],
  at: Date,
): Promise<Map<string, (Period & { isOver: boolean })[]>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('stopped_spans')
    .selectAll()
    .where('subscription_id', 'in', subscriptionIds)
    .orderBy('from_at')
    .execute()
  const spans = rows.map(({ subscription_id, from_at: start, until_at }) => ({
    subscription_id,
    start,
    end: until_at ?? new Date(Math.max(at.getTime(), start.getTime())),
    isOver: until_at !== null,
  }))
  return Map.groupBy(spans, ({ subscription_id }) => subscription_id)
}

/**
 * Notes time in which a cluster was stopped for another reason than a bill, except for the parts that are noted
 * already: the spans of a subscription do not overlap.
 */
export async function noteStopped(trx: Trx, subscriptionId: string, { start, end }: Period): Promise<void> {
  const known = (await listStops(trx, [subscriptionId], end)).get(subscriptionId) ?? []
  let from = start
  for (const span of [...known, { start: end, end }]) {
    if (span.end < from) continue
    const until = span.start < end ? span.start : end
    if (until > from)
      await trx
        .insertInto('stopped_spans')
        .values({ subscription_id: subscriptionId, from_at: from, until_at: until })
        // A span that ended in the instant in which it began.
        .onConflict((conflict) => conflict.columns(['subscription_id', 'from_at']).doUpdateSet({ until_at: until }))
        .execute()
    if (span.end > from) from = span.end
  }
}
