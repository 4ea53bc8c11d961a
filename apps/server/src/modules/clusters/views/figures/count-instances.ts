import type { Db } from '../../../../platform/db/index.ts'
import '../../tables.ts'

/** Instances by their status, those that are gone excepted; one of a status that has none is left out. */
export async function countInstances(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('instances')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('status', 'not in', ['destroyed', 'canceled'])
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
