import type { Currency } from '@atoll/money'
import { type Generated, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface StaffMovesTable {
  number: Generated<number>
  account_id: string
  currency: Currency
  amount_minor: number
  at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    staff_moves: StaffMovesTable
  }
}

/** Minor units that this operator has moved since `since`; of each currency apart. */
export async function sumMoves(
  db: Db,
  { accountId, currency, since }: { accountId: string; currency: Currency; since: Date },
): Promise<number> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(amount_minor), 0) as sum from staff_moves
    where account_id = ${accountId} and currency = ${currency} and at >= ${since}`.execute(db)
  return Number(rows[0]?.sum ?? 0)
}

export async function insertMove(
  trx: Trx,
  row: { account_id: string; currency: Currency; amount_minor: number; at: Date },
): Promise<void> {
  await trx.insertInto('staff_moves').values(row).execute()
}
