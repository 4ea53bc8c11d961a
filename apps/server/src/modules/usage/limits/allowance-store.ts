import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface TrafficAllowancesTable {
  userid: string
  left_bytes: number | null
  limited: boolean
  checked_at: Date
  bandwidth_mbit: Generated<number | null>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    traffic_allowances: TrafficAllowancesTable
  }
}

const never = new Date(0)

/**
 * Takes what accounts moved off their allowances; gives those whose plan must be asked again: the allowance is used
 * up, or was not checked from `from` to `to`; a time to come is from before the clock was set back.
 */
export async function spendAllowances(
  trx: Trx,
  moved: ReadonlyMap<string, number>,
  checked: { from: Date; to: Date },
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
    .filter(({ checked_at: at, limited, left_bytes: left }) => {
      const isFresh = at >= checked.from && at <= checked.to
      return !isFresh || (!limited && left !== null && left <= 0)
    })
    .map(({ userid }) => userid)
}

/** As `forgetAllowance`, of every account. */
export async function forgetAllowances(db: Db): Promise<void> {
  await db.updateTable('traffic_allowances').set({ checked_at: never }).where('checked_at', '>', never).execute()
}

/** Has the plan asked again once the account moves something. */
export async function forgetAllowance(trx: Trx, userid: string): Promise<void> {
  await trx.updateTable('traffic_allowances').set({ checked_at: never }).where('userid', '=', userid).execute()
}

type Kept = Pick<Selectable<TrafficAllowancesTable>, 'limited' | 'bandwidth_mbit'>

/** The plan's last answer; undefined if the account never moved anything. */
export async function findAllowance(db: Db, userid: string): Promise<Kept | undefined> {
  return await allowanceOf(db, userid).executeTakeFirst()
}

/**
 * The plan's last answer. Locks its row, so traffic counted meanwhile waits until the transaction ends. Undefined if
 * the account never moved anything.
 */
export async function lockAllowance(trx: Trx, userid: string): Promise<Kept | undefined> {
  return await allowanceOf(trx, userid).forUpdate().executeTakeFirst()
}

function allowanceOf(db: Db, userid: string) {
  return db.selectFrom('traffic_allowances').select(['limited', 'bandwidth_mbit']).where('userid', '=', userid)
}

export async function keepAllowance(
  trx: Trx,
  userid: string,
  allowance: Omit<Selectable<TrafficAllowancesTable>, 'userid'>,
): Promise<void> {
  await trx.updateTable('traffic_allowances').set(allowance).where('userid', '=', userid).execute()
}
