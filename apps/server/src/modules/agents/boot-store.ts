import type { Db, Trx } from '../../platform/db/index.ts'
import './agents-tables.ts'
import { type Boots, readBoots } from './boots/boots.ts'

export async function findBoots(db: Db, instanceId: string): Promise<Boots> {
  const row = await db.selectFrom('agents').select('boots').where('instance_id', '=', instanceId).executeTakeFirst()
  return readBoots(row?.boots)
}

/** The boots of an instance's agent, locked until the transaction ends; undefined: it is forgotten. */
export async function lockBoots(trx: Trx, instanceId: string): Promise<Boots | undefined> {
  const row = await trx
    .selectFrom('agents')
    .select('boots')
    .where('instance_id', '=', instanceId)
    .forUpdate()
    .executeTakeFirst()
  return row && readBoots(row.boots)
}

export async function saveBoots(trx: Trx, instanceId: string, boots: Boots): Promise<void> {
  await trx
    .updateTable('agents')
    .set({ boots: JSON.stringify(boots) })
    .where('instance_id', '=', instanceId)
    .execute()
}
