import type { AlertRuleName } from '@atoll/contract/observe'
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import { type AlertEvent, type AlertState, alertRules } from './alert-state.ts'

/** An instance without a sample for so long has none, and may be offline. ms */
const freshMs = 60_000

/** What a rule says of an instance now, and where it stood. */
export interface AlertReading {
  series: number
  instanceId: string
  rule: AlertRuleName
  /** Undefined: no sample of the last minute. */
  value: number | undefined
  before: AlertState | undefined
}

/** Each rule of each instance that has a sample, for whoever is at its threshold or was: one statement for all. */
export async function listAlertReadings(trx: Trx, now: Date): Promise<AlertReading[]> {
  const fresh = sql`l.at > ${new Date(now.getTime() - freshMs)}`
  const values: Record<AlertRuleName, RawBuilder<unknown>> = {
    disk: sql`case when ${fresh} then l.disk_used / nullif(l.disk_total, 0)::float8 end`,
    memory: sql`case when ${fresh} then l.memory_used / nullif(l.memory_total, 0)::float8 end`,
    offline: sql`case when ${fresh} then 0 else 1 end`,
  }
  const names = Object.keys(values) as AlertRuleName[] // the keys of a record by rule
  const rows = names.map((rule) => sql`(${rule}, (${values[rule]})::float8, ${alertRules[rule].threshold}::float8)`)
  const found = await sql<{
    series: number
    instance_id: string
    rule: AlertRuleName
    value: number | null
    state: AlertState['state'] | null
    since: Date
    seen_at: Date
    mailed_at: Date | null
    is_told: boolean
  }>`
    select l.series, s.instance_id, r.rule, r.value, a.state, a.since, a.seen_at, a.mailed_at, a.is_told
    from latest_samples as l join sample_series as s using (series)
    cross join lateral (values ${sql.join(rows)}) as r (rule, value, threshold)
    left join alert_states as a on a.series = l.series and a.rule = r.rule
    where a.series is not null or r.value >= r.threshold
    order by l.series, r.rule`.execute(trx)
  return found.rows.map(({ series, instance_id, rule, value, ...row }) => ({
    series,
    instanceId: instance_id,
    rule,
    value: value ?? undefined,
    before:
      row.state === null
        ? undefined
        : {
            state: row.state,
            since: row.since,
            seenAt: row.seen_at,
            mailedAt: row.mailed_at,
            isTold: row.is_told,
          },
  }))
}

/** Where rules stand now; `undefined`: nothing needs to be remembered. */
export interface AlertChange {
  series: number
  rule: AlertRuleName
  after: AlertState | undefined
}

export async function saveAlertStates(trx: Trx, changes: readonly AlertChange[]): Promise<void> {
  const gone = changes.filter(({ after }) => after === undefined)
  await sql`
    delete from alert_states using unnest(${gone.map(({ series }) => series)}::int[],
      ${gone.map(({ rule }) => rule)}::text[]) as g (series, rule)
    where alert_states.series = g.series and alert_states.rule = g.rule`.execute(trx)
  const kept = changes.flatMap(({ after, ...which }) => (after ? [{ ...which, ...after }] : []))
  await sql`
    insert into alert_states (series, rule, state, since, seen_at, mailed_at, is_told)
    select * from unnest(${kept.map(({ series }) => series)}::int[], ${kept.map(({ rule }) => rule)}::text[],
      ${kept.map(({ state }) => state)}::text[], ${kept.map(({ since }) => since)}::timestamptz[],
      ${kept.map(({ seenAt }) => seenAt)}::timestamptz[], ${kept.map(({ mailedAt }) => mailedAt)}::timestamptz[],
      ${kept.map(({ isTold }) => isTold)}::boolean[])
    on conflict (series, rule) do update set state = excluded.state, since = excluded.since,
      seen_at = excluded.seen_at, mailed_at = excluded.mailed_at, is_told = excluded.is_told`.execute(trx)
}

export interface AlertEventRow {
  owner: string
  clusterId: string
  instanceId: string
  rule: AlertRuleName
  kind: AlertEvent
  value: number | null
  at: Date
}

export async function insertAlertEvents(trx: Trx, events: readonly AlertEventRow[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ clusterId, instanceId, ...event }) => ({
    ...event,
    cluster_id: clusterId,
    instance_id: instanceId,
  }))
  await trx.insertInto('alert_events').values(rows).execute()
}
