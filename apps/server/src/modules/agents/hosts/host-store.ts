/** Agents on hosts: what is known of them, and those that are asked to leave. */
import { taskKinds } from '@atoll/contract/agents'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { agentsWithChannels, isConnected, lastSeen } from '../agent-store.ts'
import '../agents-tables.ts'

const leave = taskKinds.leave.kind

/** The known state of a host's agent; undefined if the instance never got a token. Times are ms. */
export async function findHostAgent(db: Db, instanceId: string) {
  const since = (time: RawBuilder<unknown>) =>
    sql<number | null>`(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`
  return await agentsWithChannels(db)
    .leftJoin(
      (from) =>
        from
          .selectFrom('agent_tasks')
          .select(['asked_at', 'state'])
          .where('instance_id', '=', instanceId)
          .where('kind', '=', leave)
          .orderBy('asked_at')
          .limit(1)
          .as('leave'),
      (join) => join.onTrue(),
    )
    .select([
      sql<boolean>`token_hash is not null`.as('enrolled'),
      isConnected.as('connected'),
      since(sql`coalesce(${lastSeen}, enrolled_at)`).as('silentForMs'),
      'boot_id as bootId',
      'port',
      'machine',
      'network',
      since(sql`leave.asked_at`).as('leavingForMs'),
      sql<boolean>`leave.state is not distinct from 'done'`.as('hasLeft'),
    ])
    .where('agents.instance_id', '=', instanceId)
    .executeTakeFirst()
}

/** Whether the files are to go with the agents when they are asked to leave. */
export async function saveWipe(trx: Trx, instanceIds: readonly string[], wipe: boolean): Promise<void> {
  if (instanceIds.length === 0) return
  await trx.updateTable('agents').set({ leave_wipe: wipe }).where('instance_id', 'in', instanceIds).execute()
}

/** Whether the files go with the agent; undefined for one that is not known. */
export async function findWipe(db: Db, instanceId: string): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('leave_wipe')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row?.leave_wipe
}

/** Keeps what it takes to ask the agent to leave should it come back when its row is gone. Again: nothing changes. */
export async function insertPendingDecommission(trx: Trx, instanceId: string): Promise<void> {
  await trx
    .insertInto('pending_decommissions')
    .columns(['instance_id', 'token_hash', 'wipe', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('agents')
        .select([
          'instance_id',
          sql<string>`token_hash`.as('token_hash'),
          'leave_wipe',
          sql<Date>`clock_timestamp()`.as('at'),
        ])
        .where('instance_id', '=', instanceId)
        .where('token_hash', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findPendingDecommission(
  db: Db,
  instanceId: string,
): Promise<{ tokenHash: string; wipe: boolean } | undefined> {
  return await db
    .selectFrom('pending_decommissions')
    .select(['token_hash as tokenHash', 'wipe'])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

export async function deletePendingDecommission(db: Db, instanceId: string): Promise<void> {
  await db.deleteFrom('pending_decommissions').where('instance_id', '=', instanceId).execute()
}

export async function deletePendingDecommissionsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('pending_decommissions').where('created_at', '<', before).execute()
}
