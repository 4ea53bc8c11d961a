import type { ApprovalAct } from '@atoll/contract/staff'
import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface ApprovalsTable {
  nonce: string
  account_id: string
  act: ApprovalAct
  statement: string
  name: string
  salt: string
  jws: Generated<string | null>
  created_at: Date
  expires_at: Date
  read_at: Generated<Date | null>
  declined_at: Generated<Date | null>
  used_at: Generated<Date | null>
}
export type ApprovalRow = Selectable<ApprovalsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    approvals: ApprovalsTable
  }
}

export type NewApproval = Pick<
  ApprovalRow,
  'nonce' | 'account_id' | 'act' | 'statement' | 'name' | 'salt' | 'created_at' | 'expires_at'
>

export async function insertApproval(trx: Trx, row: NewApproval): Promise<void> {
  await trx.insertInto('approvals').values(row).execute()
}

export async function countApprovals(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('approvals')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function findApproval(db: Db, nonce: string): Promise<ApprovalRow | undefined> {
  return await db.selectFrom('approvals').selectAll().where('nonce', '=', nonce).executeTakeFirst()
}

/** The approval with its row locked until `trx` ends: of two uses at once, one finds it used. */
export async function lockApproval(trx: Trx, nonce: string): Promise<ApprovalRow | undefined> {
  return await trx.selectFrom('approvals').selectAll().where('nonce', '=', nonce).forUpdate().executeTakeFirst()
}

export async function updateApproval(
  db: Db,
  nonce: string,
  facts: Partial<Pick<ApprovalRow, 'jws' | 'read_at' | 'used_at'>>,
): Promise<void> {
  await db.updateTable('approvals').set(facts).where('nonce', '=', nonce).execute()
}

/** Nothing where the act was done already. */
export async function declineUnused(db: Db, nonce: string, at: Date): Promise<void> {
  const ofNonce = db.updateTable('approvals').set({ declined_at: at }).where('nonce', '=', nonce)
  await ofNonce.where('used_at', 'is', null).execute()
}

export async function deleteApprovalsBefore(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('approvals').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
