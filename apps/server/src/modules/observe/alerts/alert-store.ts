import type { AlertRuleName } from '@atoll/contract/observe'
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import type { AlertStatesTable } from '../observe-tables.ts'
import type { AlertEvent, AlertState } from './alert-state.ts'

/** An instance without a sample for so long has none, and may be offline. ms */
const freshMs = 60_000

/** A rule's present value for an instance, and the state before. */
export interface AlertReading {
  series: number
  instanceId: string
  rule: AlertRuleName
  /** Undefined: no sample of the last minute. */
  value: number | undefined
  /** The part of the instance that it is about: a workload, a backup. */
  subject: string | null
  before: AlertState | undefined
}

/** Rules about what samples say. */
const sampledRules = ['disk', 'memory', 'offline'] as const satisfies AlertRuleName[]
export type SourcedRule = Exclude<AlertRuleName, (typeof sampledRules)[number]>

/** Another module's value for an instance, for a rule about it. */
export interface SourcedValue {
  instanceId: string
  value: number
  subject: string
}

/**
 * Source of a rule's values that samples do not hold: one statement for all clusters. Omitted instances have the value
 * 0.
 */
export interface AlertSource {
  /** Whether it says nothing while the instance is silent: its last word is no news then. */
  needsSample: boolean
  list(trx: Trx, now: Date): Promise<SourcedValue[]>
}

interface ReadingRow extends Omit<AlertStatesTable, 'rule' | 'state'> {
  instance_id: string
  rule: AlertRuleName
  value: number | null
  state: AlertState['state'] | null
}

/** Newer than this is a sample of now. */
export const freshSince = (now: Date) => new Date(now.getTime() - freshMs)

/**
 * The readings of each sampled rule for instances whose value reaches `least`, or that have a state: one statement for
 * all. `isServed`: whether agents can report. If not, the silence is not theirs: no instance becomes offline, and one
 * that is pending starts over.
 */
export async function listAlertReadings(
  trx: Trx,
  now: Date,
  { least, isServed }: { least: (rule: AlertRuleName) => number; isServed: boolean },
): Promise<AlertReading[]> {
  const fresh = sql`l.at > ${freshSince(now)}`
  const values: Record<(typeof sampledRules)[number], RawBuilder<unknown>> = {
    disk: sql`case when ${fresh} then l.disk_used / nullif(l.disk_total, 0)::float8 end`,
    memory: sql`case when ${fresh} then l.memory_used / nullif(l.memory_total, 0)::float8 end`,
    offline: sql`case when ${fresh} then 0 when ${isServed}::boolean then 1 end`,
  }
  const rows = sampledRules.map((rule) => sql`(${rule}, (${values[rule]})::float8, ${least(rule)}::float8)`)
  const found = await sql<ReadingRow>`
    select l.series, s.instance_id, r.rule, r.value, a.state, a.since, a.seen_at, a.mailed_at, a.is_told, null as subject
    from latest_samples as l join sample_series as s using (series)
    cross join lateral (values ${sql.join(rows)}) as r (rule, value, threshold)
    left join alert_states as a on a.series = l.series and a.rule = r.rule
    where a.series is not null or r.value >= r.threshold
    order by l.series, r.rule`.execute(trx)
  const isNotCounted = ({ rule, state }: ReadingRow) => !isServed && rule === 'offline' && state === 'pending'
  return found.rows.map((row) => readingOf(isNotCounted(row) ? { ...row, value: 0 } : row))
}

/** The same of a rule whose values come from elsewhere. An instance that never reported has no state to keep. */
export async function listSourcedReadings(
  trx: Trx,
  now: Date,
  { rule, least, source }: { rule: SourcedRule; least: number; source: AlertSource },
): Promise<AlertReading[]> {
  const values = await source.list(trx, now)
  const known = source.needsSample ? sql`l.at > ${freshSince(now)}` : sql`true`
  const found = await sql<ReadingRow>`
    select l.series, s.instance_id, ${rule} as rule, case when ${known} then coalesce(v.value, 0) end as value,
      a.state, a.since, a.seen_at, a.mailed_at, a.is_told, coalesce(v.subject, a.subject) as subject
    from latest_samples as l join sample_series as s using (series)
    left join unnest(${values.map(({ instanceId }) => instanceId)}::text[], ${values.map(({ value }) => value)}::float8[],
      ${values.map(({ subject }) => subject)}::text[]) as v (instance_id, value, subject)
      on v.instance_id = s.instance_id
    left join alert_states as a on a.series = l.series and a.rule = ${rule}
    where a.series is not null or (${known} and v.value >= ${least})
    order by l.series`.execute(trx)
  return found.rows.map(readingOf)
}

function readingOf({ series, instance_id, rule, value, subject, ...row }: ReadingRow): AlertReading {
  const before =
    row.state === null
      ? undefined
      : { state: row.state, since: row.since, seenAt: row.seen_at, mailedAt: row.mailed_at, isMailed: row.is_told }
  return { series, instanceId: instance_id, rule, value: value ?? undefined, subject, before }
}

/** Where rules stand now; `undefined`: nothing needs to be remembered. */
export interface AlertChange {
  series: number
  rule: AlertRuleName
  after: AlertState | undefined
  subject: string | null
}

export async function saveAlertStates(trx: Trx, changes: readonly AlertChange[]): Promise<void> {
  const gone = changes.filter(({ after }) => after === undefined)
  await sql`
    delete from alert_states using unnest(${gone.map(({ series }) => series)}::int[],
      ${gone.map(({ rule }) => rule)}::text[]) as g (series, rule)
    where alert_states.series = g.series and alert_states.rule = g.rule`.execute(trx)
  const kept = changes.flatMap(({ after, ...which }) => (after ? [{ ...which, ...after }] : []))
  await sql`
    insert into alert_states (series, rule, state, since, seen_at, mailed_at, is_told, subject)
    select * from unnest(${kept.map(({ series }) => series)}::int[], ${kept.map(({ rule }) => rule)}::text[],
      ${kept.map(({ state }) => state)}::text[], ${kept.map(({ since }) => since)}::timestamptz[],
      ${kept.map(({ seenAt }) => seenAt)}::timestamptz[], ${kept.map(({ mailedAt }) => mailedAt)}::timestamptz[],
      ${kept.map(({ isMailed }) => isMailed)}::boolean[], ${kept.map(({ subject }) => subject)}::text[])
    on conflict (series, rule) do update set state = excluded.state, since = excluded.since,
      seen_at = excluded.seen_at, mailed_at = excluded.mailed_at, is_told = excluded.is_told, subject = excluded.subject`.execute(
    trx,
  )
}

export interface AlertEventRow {
  owner: string
  clusterId: string
  instanceId: string
  rule: AlertRuleName
  kind: AlertEvent
  value: number | null
  subject: string | null
  at: Date
  mailedAt: Date | null
}

export async function insertAlertEvents(trx: Trx, events: readonly AlertEventRow[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ clusterId, instanceId, mailedAt, ...event }) => ({
    ...event,
    cluster_id: clusterId,
    instance_id: instanceId,
    mailed_at: mailedAt,
  }))
  await trx.insertInto('alert_events').values(rows).execute()
}

/** Notes that the newest firing was mailed after it was written down: another mail had gone within the hour. */
export async function noteLateMail(
  trx: Trx,
  { clusterId, instanceId, rule, at }: Pick<AlertEventRow, 'clusterId' | 'instanceId' | 'rule' | 'at'>,
): Promise<void> {
  await trx
    .updateTable('alert_events')
    .set({ mailed_at: at })
    .where('id', '=', (from) =>
      from
        .selectFrom('alert_events')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('cluster_id', '=', clusterId)
        .where('instance_id', '=', instanceId)
        .where('rule', '=', rule)
        .where('kind', '=', 'fired'),
    )
    .execute()
}
