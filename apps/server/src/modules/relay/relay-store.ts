/** Which edge process holds whose relay connection. Times are the database's: processes need not agree on the hour. */
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'

interface RelayConnectionsTable {
  instance_id: string
  connection_id: string
  edge_url: string
  seen_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    relay_connections: RelayConnectionsTable
  }
}

const now = sql<Date>`clock_timestamp()`
const before = (ms: number) => sql<Date>`clock_timestamp() - ${ms} * interval '1 millisecond'`

/** Makes `connectionId` at `edgeUrl` the one connection of its instance. */
export async function insertConnection(
  db: Db | Trx,
  connection: { instanceId: string; connectionId: string; edgeUrl: string },
): Promise<void> {
  const place = { connection_id: connection.connectionId, edge_url: connection.edgeUrl, seen_at: now }
  await db
    .insertInto('relay_connections')
    .values({ instance_id: connection.instanceId, ...place })
    .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(place))
    .execute()
}

/** Makes a connection its instance's where no row names one; one that came meanwhile is newer, and stays. */
export async function reclaimConnection(
  db: Db,
  connection: { instanceId: string; connectionId: string; edgeUrl: string },
): Promise<void> {
  const { instanceId: instance_id, connectionId: connection_id, edgeUrl: edge_url } = connection
  await db
    .insertInto('relay_connections')
    .values({ instance_id, connection_id, edge_url, seen_at: now })
    .onConflict((conflict) => conflict.column('instance_id').doNothing())
    .execute()
}

/** Notes that these connections live; gives the ids of those that still are their instance's. */
export async function touchConnections(db: Db, connectionIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable('relay_connections')
    .set({ seen_at: now })
    .where('connection_id', 'in', connectionIds)
    .returning('connection_id')
    .execute()
  return rows.map((row) => row.connection_id)
}

export async function deleteConnection(db: Db | Trx, connectionId: string): Promise<void> {
  await db.deleteFrom('relay_connections').where('connection_id', '=', connectionId).execute()
}

/** Connections of processes that died: nobody noted them for `silentMs`. */
export async function deleteSilentConnections(db: Db, silentMs: number): Promise<void> {
  await db.deleteFrom('relay_connections').where('seen_at', '<', before(silentMs)).execute()
}

/** The connection that the row of the instance names. */
export async function findConnectionId(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('relay_connections')
    .select('connection_id')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row?.connection_id
}

/** Where the edge that holds the instance's connection is reached by other edges; undefined when none does. */
export async function findEdgeUrl(db: Db, instanceId: string, silentMs: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('relay_connections')
    .select('edge_url')
    .where('instance_id', '=', instanceId)
    .where('seen_at', '>', before(silentMs))
    .executeTakeFirst()
  return row?.edge_url
}
