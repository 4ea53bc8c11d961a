/** History of alerts: pairs each firing with its end, from the stored events. */
import type { ClusterAlerts } from '@atoll/contract/observe'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import { isRule, scaleOf } from './alert-rules.ts'

const shownMs = 30 * 24 * 3600_000
/** How much of the history is shown, and how many events are read for it. */
const shownAlerts = 200
const readEvents = 1000

interface HistoryOf {
  clusterIds: readonly string[]
  nameOf: ReadonlyMap<string, string>
  /** `rule instanceId` of what fires now. */
  firing: ReadonlySet<string>
}

/** The alerts of these clusters. */
export async function readHistory(
  db: Db,
  clock: Clock,
  { clusterIds, nameOf, firing }: HistoryOf,
): Promise<(ClusterAlerts['history'][number] & { clusterId: string })[]> {
  const events = await db
    .selectFrom('alert_events')
    .select(['id', 'cluster_id', 'rule', 'instance_id', 'kind', 'value', 'subject', 'at', 'mailed_at'])
    .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(readEvents)
    .execute()
  const since = clock.now().getTime() - shownMs
  const history: (ClusterAlerts['history'][number] & { clusterId: string })[] = []
  // Newest first: what comes next after a firing was met before it, and the newest may go on.
  const next = new Map<string, { kind: 'fired' | 'cleared'; at: Date; mailedAt: Date | null }>()
  for (const {
    id,
    cluster_id: clusterId,
    rule,
    instance_id,
    kind,
    value,
    subject,
    at,
    mailed_at: mailedAt,
  } of events) {
    if (!isRule(rule)) continue
    const key = `${rule} ${instance_id}`
    const after = next.get(key)
    next.set(key, { kind, at, mailedAt })
    if (kind === 'cleared') continue
    const clearedAt = after?.kind === 'cleared' ? after.at : null
    const goesOn = after === undefined && firing.has(key)
    if (!goesOn && (clearedAt ?? at).getTime() < since) continue
    history.push({
      id,
      clusterId,
      rule,
      subject,
      instance: nameOf.get(instance_id) ?? null,
      at: at.toISOString(),
      goesOn,
      value: value === null ? null : Math.floor(value * scaleOf(rule) * 10) / 10,
      clearedAt: clearedAt?.toISOString() ?? null,
      mailedAt: mailedAt?.toISOString() ?? null,
      endMailedAt: (clearedAt && after?.mailedAt?.toISOString()) ?? null,
    })
  }
  return history.slice(0, shownAlerts)
}
