import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface TrafficAllowancesTable {
  userid: string
  left_bytes: number | null
  limited: boolean
  checked_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    traffic_allowances: TrafficAllowancesTable
  }
}

const never = new Date(0)

/**
 * Takes what accounts moved off their allowances; gives those whose plan must be asked again: the allowance is used
 * up, or older than `checkedBefore`.
 */
export async function spendAllowances(
  trx: Trx,
  moved: ReadonlyMap<string, number>,
  checkedBefore: Date,
): Promise<string[]> {
  if (moved.size === 0) return []
  const rows = await trx
    .insertInto('traffic_allowances')
    // In one order everywhere: two edges that take off the same ones would otherwise wait for each other.
    .values(
      [...moved]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([userid, bytes]) => ({ userid, left_bytes: -bytes, limited: false, checked_at: never })),
    )
    .onConflict((conflict) =>
      conflict
        .column('userid')
        .doUpdateSet({ left_bytes: sql<number>`traffic_allowances.left_bytes + excluded.left_bytes` }),
    )
    .returningAll()
    .execute()
  return rows
    .filter((row) => row.checked_at < checkedBefore || (!row.limited && row.left_bytes !== null && row.left_bytes <= 0))
    .map(({ userid }) => userid)
}

/** Has the plan asked again once the account moves something. */
export async function forgetAllowance(trx: Trx, userid: string): Promise<void> {
  await trx.updateTable('traffic_allowances').set({ checked_at: never }).where('userid', '=', userid).execute()
}

export async function isKeptLimited(db: Db, userid: string): Promise<boolean> {
  const row = await db
    .selectFrom('traffic_allowances')
    .select('limited')
    .where('userid', '=', userid)
    .executeTakeFirst()
  return row?.limited === true
}

/**
 * Whether it was limited; what moves meanwhile waits until the transaction ends. Undefined: it never moved anything.
 */
export async function lockAllowance(trx: Trx, userid: string): Promise<{ limited: boolean } | undefined> {
  return await trx
    .selectFrom('traffic_allowances')
    .select('limited')
    .where('userid', '=', userid)
    .forUpdate()
    .executeTakeFirst()
}

export async function keepAllowance(
  trx: Trx,
  userid: string,
  allowance: Pick<TrafficAllowancesTable, 'left_bytes' | 'limited' | 'checked_at'>,
): Promise<void> {
  await trx.updateTable('traffic_allowances').set(allowance).where('userid', '=', userid).execute()
}
