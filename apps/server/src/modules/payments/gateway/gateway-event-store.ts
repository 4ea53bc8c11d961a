import type { Db, Trx } from '../../../platform/db/index.ts'
import type { GatewayName } from './gateway.ts'

interface GatewayEventsTable {
  gateway: GatewayName
  id: string
  received_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    gateway_events: GatewayEventsTable
  }
}

/** False for one that was stored before. */
export async function insertGatewayEvent(trx: Trx, event: GatewayEventsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('gateway_events')
    .values(event)
    .onConflict((on) => on.columns(['gateway', 'id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Forgets events that came before `before`; gives how many. */
export async function deleteGatewayEventsBefore(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('gateway_events').where('received_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** When the newest webhook of a gateway came; undefined: none of the last 30 days is known. */
export async function findNewestEvent(db: Db, gateway: GatewayName): Promise<Date | undefined> {
  const newest = await db
    .selectFrom('gateway_events')
    .select('received_at')
    .where('gateway', '=', gateway)
    .orderBy('received_at', 'desc')
    .executeTakeFirst()
  return newest?.received_at
}
