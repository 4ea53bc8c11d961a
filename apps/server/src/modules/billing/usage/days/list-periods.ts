import { type Period, periodAt, periodIndexAt, startOfDay } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { Limits } from '../../../accounts/index.ts'
import type { SubscriptionRow } from '../../records/documents/document-tables.ts'

/** A period of usage, as its quotas counted. */
export interface CountedPeriod {
  /** The whole period, from which prorations and GB-months are computed. */
  period: Period
  /** The end of its usage: the end of `period`, or earlier where another plan began. Unique for an account. */
  until: Date
  /** Of the plan; none on Free. */
  subscription?: SubscriptionRow
}

/**
 * The periods of an account from its first day to `at`, in order: those of each of its plans, and on Free months from
 * the account's first day (`usagePeriodOf`), until a plan begins.
 */
export async function listPeriods(
  db: Db,
  { userid, limits, at }: { userid: string; limits: Pick<Limits, 'createdAt' | 'zone'>; at: Date },
): Promise<CountedPeriod[]> {
  const plans = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userid', '=', userid)
    .where('kind', '=', 'plan')
    .where('state', 'not in', ['unpaid', 'canceled'])
    .orderBy('anchor')
    .execute()
  const first = startOfDay(limits.createdAt, limits.zone)
  const afterAll = new Date(at.getTime() + 1)
  const periods: CountedPeriod[] = []
  let from = first
  for (const subscription of plans) {
    const { anchor, ended_at: ended } = subscription
    periods.push(...periodsOf(first, from, anchor))
    periods.push(...periodsOf(anchor, anchor, ended ?? afterAll).map((one) => ({ ...one, subscription })))
    from = ended ?? afterAll
  }
  return [...periods, ...periodsOf(first, from, afterAll)]

  /** Those that are counted from `anchor` and have a part between the two; one that runs at `at` is whole. */
  function periodsOf(anchor: Date, begin: Date, end: Date): { period: Period; until: Date }[] {
    const found: { period: Period; until: Date }[] = []
    const last = end < afterAll ? end : afterAll
    for (let index = periodIndexAt(anchor, begin, limits.zone); ; index += 1) {
      const period = periodAt(anchor, index, limits.zone)
      if (period.start >= last || begin >= last) return found
      const isCut = end < period.end && end !== afterAll
      const until = isCut ? end : period.end
      if (until > begin) found.push({ period, until })
    }
  }
}
