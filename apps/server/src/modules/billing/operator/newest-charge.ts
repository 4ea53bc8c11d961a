import type { Db } from '../../../platform/db/index.ts'
import '../records/documents/document-tables.ts'

/** When a card was last charged by this gateway, or refused; undefined: never. */
export async function findNewestCharge(db: Db, gateway: string): Promise<Date | undefined> {
  const newest = await db
    .selectFrom('payments')
    .select('ended_at')
    .where('gateway', '=', gateway)
    .where('card_minor', '>', 0)
    .where('state', '=', 'succeeded')
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .executeTakeFirst()
  return newest?.ended_at ?? undefined
}
