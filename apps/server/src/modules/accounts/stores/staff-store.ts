import type { StaffRole } from '@atoll/contract/wire'
import { type Expression, type Generated, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { lastActOf } from '../../audit/index.ts'
import { nameOfDid } from '../../identity/index.ts'

interface StaffTable {
  number: Generated<number>
  account_id: string
  role: StaffRole
  /** Null: the operator's command. */
  granted_by: string | null
  granted_at: Date
  ended_by: Generated<string | null>
  ended_at: Generated<Date | null>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    staff: StaffTable
  }
}

/** For a query: the staff role of the account with this id now; null: none. */
export function staffRoleOf(accountId: Expression<unknown>): RawBuilder<StaffRole | null> {
  return sql<StaffRole | null>`(select role from staff where staff.account_id = ${accountId} and ended_at is null)`
}

export async function findStaffRole(db: Db, accountId: string): Promise<StaffRole | null> {
  const { rows } = await sql<{ role: StaffRole | null }>`select ${staffRoleOf(sql`${accountId}`)} as role`.execute(db)
  return rows[0]?.role ?? null
}

/** For a query: whether anybody has or had a staff role. */
export const everStaff = sql<boolean>`exists (select from staff)`

/** The query of who has a staff role, operators first, then the longest. */
export function staffMembers(db: Db) {
  return db
    .selectFrom('staff')
    .innerJoin('accounts', 'accounts.account_id', 'staff.account_id')
    .leftJoin('accounts as granter', 'granter.account_id', 'staff.granted_by')
    .select((from) => [
      'staff.account_id',
      'accounts.did',
      nameOfDid(from.ref('accounts.did')).as('name'),
      'staff.role',
      'staff.granted_at',
      'staff.granted_by',
      'granter.did as granter_did',
      nameOfDid(sql<string>`${from.ref('granter.did')}`).as('granter_name'),
      lastActOf(from.ref('accounts.did')).as('last_act'),
    ])
    .where('staff.ended_at', 'is', null)
    .orderBy('staff.role')
    .orderBy('staff.granted_at')
    .orderBy('staff.number')
}

/** The living roles with their rows locked until `trx` ends: of two ends at once, one sees the other's. */
export async function lockStaff(trx: Trx): Promise<{ account_id: string; role: StaffRole }[]> {
  return await trx
    .selectFrom('staff')
    .select(['account_id', 'role'])
    .where('ended_at', 'is', null)
    .orderBy('number')
    .forUpdate()
    .execute()
}

export async function insertStaff(
  trx: Trx,
  row: { account_id: string; role: StaffRole; granted_by: string | null; granted_at: Date },
): Promise<void> {
  await trx.insertInto('staff').values(row).execute()
}

export async function endStaff(trx: Trx, accountId: string, end: { by: string | null; at: Date }): Promise<void> {
  await trx
    .updateTable('staff')
    .set({ ended_by: end.by, ended_at: end.at })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute()
}
