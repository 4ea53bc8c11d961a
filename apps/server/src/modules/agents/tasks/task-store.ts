import { tasksPerLane } from '@atoll/contract/agents'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { heldBy } from '../../../platform/leases/index.ts'
import { channelLease } from '../agent-store.ts'
import type { AgentTask, TaskChange } from '../task-protocol.ts'
import { hasEnded } from '../task-protocol.ts'
import '../agents-tables.ts'

export interface NewTask {
  id: string
  instanceId: string
  kind: string
  lane: string
  params: Record<string, unknown>
}

const columns = [
  'id',
  'instance_id as instanceId',
  'kind',
  'params',
  'state',
  sql<boolean>`cancel_asked_at is not null`.as('isCancelAsked'),
  'progress',
  'result',
  'reason',
] as const

/**
 * Adds `task`, unless its agent is not known (any longer), or an open task of the kind asks for the same already.
 * Answers the id of the task that is open now; undefined where the agent is not known.
 */
export async function insertTask(trx: Db | Trx, task: NewTask): Promise<string | undefined> {
  const params = JSON.stringify(task.params)
  const { rows } = await sql<{ id: string }>`
    with same as (
      select id from agent_tasks
      where instance_id = ${task.instanceId} and kind = ${task.kind} and params = ${params}::jsonb and ended_at is null
      order by asked_at limit 1
    ), added as (
      insert into agent_tasks (id, instance_id, kind, lane, params)
      select ${task.id}, instance_id, ${task.kind}, ${task.lane}, ${params}::jsonb from agents
      where instance_id = ${task.instanceId} and not exists (select from same)
      returning id
    )
    select id from same union all select id from added`.execute(trx)
  return rows[0]?.id
}

/** Of a task that ends: what was sealed is kept no longer. */
const endedParams = sql<string>`case when params ? 'sealed' then '{}'::jsonb else params end`

export async function listTasks(db: Db, ids: readonly string[]): Promise<AgentTask[]> {
  if (ids.length === 0) return []
  return await db.selectFrom('agent_tasks').select(columns).where('id', 'in', ids).execute()
}

/** Those of `ids` that are of this agent. With `trx` they stay as they are until it ends. */
export async function listTasksOf(db: Db, instanceId: string, ids: readonly string[]): Promise<AgentTask[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('agent_tasks')
    .select(columns)
    .where('instance_id', '=', instanceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(db.isTransaction, (query) => query.forNoKeyUpdate())
    .execute()
}

/** The oldest open tasks of each lane, as many as an agent holds at a time. */
export async function listOpenTasks(db: Db, instanceId: string): Promise<AgentTask[]> {
  const open = db
    .selectFrom('agent_tasks')
    .select(columns)
    .select(['asked_at', sql<number>`row_number() over (partition by lane order by asked_at, id)`.as('place')])
    .where('instance_id', '=', instanceId)
    .where('ended_at', 'is', null)
    .as('open')
  const rows = await db
    .selectFrom(open)
    .selectAll()
    .where('place', '<=', tasksPerLane)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  return rows.map(({ asked_at: _at, place: _place, ...task }) => task)
}

export async function listOpenOfKind(
  db: Db,
  instanceId: string,
  kind: string,
): Promise<{ id: string; askedAt: Date }[]> {
  return await db
    .selectFrom('agent_tasks')
    .select(['id', 'asked_at as askedAt'])
    .where('instance_id', '=', instanceId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .execute()
}

/** The first task of the kind that was asked of this agent. */
export async function findFirstTask(db: Db, instanceId: string, kind: string): Promise<AgentTask | undefined> {
  return await db
    .selectFrom('agent_tasks')
    .select(columns)
    .where('instance_id', '=', instanceId)
    .where('kind', '=', kind)
    .orderBy('asked_at')
    .limit(1)
    .executeTakeFirst()
}

/** From now on the agent may have begun them. */
export async function markOffered(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('agent_tasks')
    .set({ state: 'offered' })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .execute()
}

/** Writes what became of a task; false when it had ended before. */
export async function saveTaskChange(trx: Trx, id: string, { state, result, reason }: TaskChange): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('agent_tasks')
    .set({
      state,
      result: result && JSON.stringify(result),
      reason,
      ...(hasEnded(state) && { ended_at: sql<Date>`clock_timestamp()`, params: endedParams }),
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writes a task's progress as `connectionId` reported it; undefined if it ended or the connection is old. */
export async function saveProgress(
  trx: Trx,
  { instanceId, connectionId }: { instanceId: string; connectionId: string },
  id: string,
  progress: Record<string, unknown>,
): Promise<AgentTask | undefined> {
  return await trx
    .updateTable('agent_tasks')
    .set({ progress: JSON.stringify(progress) })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .where('ended_at', 'is', null)
    .where(heldBy(channelLease(instanceId, connectionId)))
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Ends a task that was never sent; of another notes that it shall end, unless `onlyUnsent`. Undefined when nothing
 * was noted, as when it has ended before.
 */
export async function saveCancel(
  trx: Trx,
  id: string,
  { onlyUnsent = false }: { onlyUnsent?: boolean } = {},
): Promise<AgentTask | undefined> {
  const now = sql<Date>`clock_timestamp()`
  return await trx
    .updateTable('agent_tasks')
    .set((from) => ({
      cancel_asked_at: from.fn.coalesce('cancel_asked_at', now),
      state: sql<AgentTask['state']>`case when state = 'waiting' then 'canceled' else state end`,
      ended_at: sql<Date | null>`case when state = 'waiting' then clock_timestamp() end`,
      params: sql<string>`case when state = 'waiting' then ${endedParams} else params end`,
    }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$if(onlyUnsent, (query) => query.where('state', '=', 'waiting'))
    .returning(columns)
    .executeTakeFirst()
}

/** `kind`: of this kind alone. */
export async function deleteTasksEndedBefore(db: Db, before: Date, kind?: string): Promise<void> {
  await db
    .deleteFrom('agent_tasks')
    .where('ended_at', '<', before)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .execute()
}
