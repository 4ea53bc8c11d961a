import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface DomainTransfersTable {
  id: string
  domain: number
  from_userid: string
  to_did: string
  to_name: string
  created_at: Date
  expires_at: Date
  signed_jws: Generated<string | null>
  signed_at: Generated<Date | null>
  ended_at: Generated<Date | null>
  ended_by: Generated<'accepted' | 'withdrawn' | 'declined' | 'lapsed' | 'removed' | null>
}
export type TransferRow = Selectable<DomainTransfersTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    domain_transfers: DomainTransfersTable
  }
}

export async function insertTransfer(
  trx: Trx,
  row: Pick<TransferRow, 'id' | 'domain' | 'from_userid' | 'to_did' | 'to_name' | 'created_at' | 'expires_at'>,
): Promise<TransferRow> {
  return await trx.insertInto('domain_transfers').values(row).returningAll().executeTakeFirstOrThrow()
}

/** The offer of a domain that can still be accepted. */
export async function findTransfer(db: Db | Trx, domain: number, now: Date): Promise<TransferRow | undefined> {
  return await open(db, now).where('domain', '=', domain).executeTakeFirst()
}

/** Those that are made to `did`, the newest first, with their domain's name. */
export async function listOffers(db: Db | Trx, did: string, now: Date): Promise<(TransferRow & { name: string })[]> {
  return await open(db, now)
    .innerJoin('domains', 'domains.number', 'domain_transfers.domain')
    .select('domains.name')
    .where('to_did', '=', did)
    .where('domains.released_at', 'is', null)
    .orderBy('domain_transfers.created_at', 'desc')
    .execute()
}

export async function signTransfer(trx: Trx, id: string, jws: string, at: Date): Promise<void> {
  await trx.updateTable('domain_transfers').set({ signed_jws: jws, signed_at: at }).where('id', '=', id).execute()
}

/** Ends the offer of a domain, if there is one; one whose time is over has lapsed. Safe to repeat. */
export async function endTransfers(
  trx: Trx,
  domain: number,
  by: NonNullable<TransferRow['ended_by']>,
  now: Date,
): Promise<TransferRow | undefined> {
  const all = trx.updateTable('domain_transfers').where('domain', '=', domain).where('ended_at', 'is', null)
  await all.where('expires_at', '<=', now).set({ ended_at: now, ended_by: 'lapsed' }).execute()
  return await all.set({ ended_at: now, ended_by: by }).returningAll().executeTakeFirst()
}

function open(db: Db | Trx, now: Date) {
  return db
    .selectFrom('domain_transfers')
    .selectAll('domain_transfers')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
}
