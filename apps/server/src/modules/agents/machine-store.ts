/** Agents on machines of owners' own: what the driver asks of them, and those that are told to leave. */
import type { Machine } from '@atoll/contract/agents'
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { AgentNetwork } from './agents-tables.ts'
import './agents-tables.ts'

/** What is known of the agent of a machine. */
export interface MachineAgent {
  /** A machine has spent the token. */
  enrolled: boolean
  connected: boolean
  /** ms since it was heard last, by the database's clock; null before it enrolled. */
  silentForMs: number | null
  bootId: string | null
  port: number | null
  machine: Machine | null
  network: AgentNetwork | null
  /** ms since it was told to leave; null while it may stay. */
  leavingForMs: number | null
  hasLeft: boolean
}

/** The agent of an instance; `silenceMs`: nobody noted its connection for so long, so it is none. */
export async function findMachineAgent(
  db: Db,
  instanceId: string,
  silenceMs: number,
): Promise<MachineAgent | undefined> {
  const since = (column: string) =>
    sql<number | null>`(extract(epoch from clock_timestamp() - ${sql.raw(column)}) * 1000)::float8`
  const row = await db
    .selectFrom('agents')
    .select([
      sql<boolean>`token_hash is not null`.as('enrolled'),
      sql<boolean>`connection_id is not null and last_seen_at > clock_timestamp() - ${silenceMs} * interval '1 millisecond'`.as(
        'connected',
      ),
      since('coalesce(last_seen_at, enrolled_at)').as('silentForMs'),
      'boot_id as bootId',
      'port',
      'machine',
      'network',
      since('leaving_at').as('leavingForMs'),
      sql<boolean>`leaving_at is not null and left_at is not null`.as('hasLeft'),
    ])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row
}

/** Notes that the boot `bootId` is to be left behind. */
export async function saveRestartRequest(db: Db | Trx, instanceId: string, bootId: string): Promise<void> {
  await db.updateTable('agents').set({ restart_boot: bootId }).where('instance_id', '=', instanceId).execute()
}

/** What the agent is to do now besides installs: the boot to leave behind, and whether to leave for good. */
export async function findPendingOrders(
  db: Db,
  instanceId: string,
): Promise<{ restartBoot: string | null; leave: boolean; wipe: boolean } | undefined> {
  return await db
    .selectFrom('agents')
    .select([
      sql<string | null>`case when restart_boot = boot_id then restart_boot end`.as('restartBoot'),
      sql<boolean>`leaving_at is not null and left_at is null`.as('leave'),
      'leave_wipe as wipe',
    ])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/** Whether the files are to go with the agents when they are told to leave. */
export async function saveWipe(trx: Trx, instanceIds: readonly string[], wipe: boolean): Promise<void> {
  if (instanceIds.length === 0) return
  await trx.updateTable('agents').set({ leave_wipe: wipe }).where('instance_id', 'in', instanceIds).execute()
}

/**
 * Notes that the agent is to leave, and keeps what it takes to tell it should it come back when its row is gone.
 * Again: nothing changes.
 */
export async function saveLeave(trx: Trx, instanceId: string): Promise<void> {
  const row = await trx
    .updateTable('agents')
    .set((from) => ({ leaving_at: from.fn.coalesce('leaving_at', sql<Date>`clock_timestamp()`) }))
    .where('instance_id', '=', instanceId)
    .returning(['token_hash', 'leave_wipe', 'left_at'])
    .executeTakeFirst()
  if (!row || row.token_hash === null || row.left_at !== null) return
  await trx
    .insertInto('agent_farewells')
    .values({
      instance_id: instanceId,
      token_hash: row.token_hash,
      wipe: row.leave_wipe,
      created_at: sql<Date>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * It left, as it was told: nothing has to be said any more. False, and nothing changes, for one that has a row and was
 * told nothing: it still is where it should be, whatever it says.
 */
export async function saveLeft(trx: Trx, instanceId: string): Promise<boolean> {
  const agent = await trx
    .updateTable('agents')
    .set((from) => ({
      left_at: sql<Date | null>`case when ${from.ref('leaving_at')} is not null then clock_timestamp() end`,
    }))
    .where('instance_id', '=', instanceId)
    .returning('left_at')
    .executeTakeFirst()
  if (agent && agent.left_at === null) return false
  await trx.deleteFrom('agent_farewells').where('instance_id', '=', instanceId).execute()
  return true
}

export async function findFarewell(
  db: Db,
  instanceId: string,
): Promise<{ tokenHash: string; wipe: boolean } | undefined> {
  return await db
    .selectFrom('agent_farewells')
    .select(['token_hash as tokenHash', 'wipe'])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

export async function deleteFarewellsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('agent_farewells').where('created_at', '<', before).execute()
}
