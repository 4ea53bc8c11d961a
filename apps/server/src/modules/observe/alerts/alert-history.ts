/** What fired and was over, as one: from the events that are kept. */
import type { ClusterAlerts } from '@atoll/contract/observe'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import { isRule, scaleOf } from './alert-rules.ts'

const shownMs = 30 * 24 * 3600_000
/** How much of the history is shown, and how many events are read for it. */
const shownAlerts = 200
const readEvents = 1000

/** `firing`: `rule instanceId` of what fires now. */
export async function readHistory(
  db: Db,
  clock: Clock,
  { clusterId, nameOf, firing }: { clusterId: string; nameOf: Map<string, string>; firing: ReadonlySet<string> },
): Promise<ClusterAlerts['history']> {
  const events = await db
    .selectFrom('alert_events')
    .select(['id', 'rule', 'instance_id', 'kind', 'value', 'subject', 'at'])
    .where('cluster_id', '=', clusterId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(readEvents)
    .execute()
  const since = clock.now().getTime() - shownMs
  const history: ClusterAlerts['history'] = []
  // Newest first: what comes next after a firing was met before it, and the newest may go on.
  const next = new Map<string, { kind: 'fired' | 'cleared'; at: Date }>()
  for (const { id, rule, instance_id, kind, value, subject, at } of events) {
    if (!isRule(rule)) continue
    const key = `${rule} ${instance_id}`
    const after = next.get(key)
    next.set(key, { kind, at })
    if (kind === 'cleared') continue
    const clearedAt = after?.kind === 'cleared' ? after.at : null
    const goesOn = after === undefined && firing.has(key)
    if (!goesOn && (clearedAt ?? at).getTime() < since) continue
    history.push({
      ...{ id, rule, subject, instance: nameOf.get(instance_id) ?? null, at: at.toISOString(), goesOn },
      value: value === null ? null : Math.floor(value * scaleOf(rule) * 10) / 10,
      clearedAt: clearedAt?.toISOString() ?? null,
    })
  }
  return history.slice(0, shownAlerts)
}
