import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface AccountErasuresTable {
  account_id: string
  reminded_at: Date | null
  begun_at: Date | null
  erased_at: Date | null
}
export type ErasureRow = Selectable<AccountErasuresTable>

interface ErasedDocumentsTable {
  document_id: string
  account_id: string
  box: string
  kept_until: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    account_erasures: AccountErasuresTable
    erased_documents: ErasedDocumentsTable
  }
}

export async function findErasure(db: Db, accountId: string): Promise<ErasureRow | undefined> {
  return await db.selectFrom('account_erasures').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** Accounts that are erased, and when. */
export async function listErased(db: Db): Promise<{ accountId: string; at: Date }[]> {
  return await db
    .selectFrom('account_erasures')
    .select(['account_id as accountId', 'erased_at as at'])
    .where('erased_at', 'is not', null)
    .$narrowType<{ at: Date }>()
    .execute()
}

/** Notes how far the end of an account is. */
export async function noteErasure(
  trx: Trx,
  accountId: string,
  facts: Partial<Omit<ErasureRow, 'account_id'>>,
): Promise<void> {
  const none = { reminded_at: null, begun_at: null, erased_at: null }
  await trx
    .insertInto('account_erasures')
    .values({ account_id: accountId, ...none, ...facts })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(facts))
    .execute()
}

/** Its owner keeps the account. */
export async function forgetErasure(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('account_erasures').where('account_id', '=', accountId).where('erased_at', 'is', null).execute()
}

/** Keeps the first copy: what is sealed later was given its pseudonym meanwhile. */
export async function keepDocument(trx: Trx, document: ErasedDocumentsTable): Promise<void> {
  await trx
    .insertInto('erased_documents')
    .values(document)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Sealed documents of an erased account. */
export async function listSealed(
  trx: Trx,
  accountId: string,
): Promise<Pick<ErasedDocumentsTable, 'document_id' | 'box'>[]> {
  const query = trx.selectFrom('erased_documents').select(['document_id', 'box']).where('account_id', '=', accountId)
  return await query.orderBy('document_id').execute()
}

/** Documents that nobody has to keep any longer go. */
export async function dropDocuments(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('erased_documents').where('kept_until', '<', now).execute()
}
