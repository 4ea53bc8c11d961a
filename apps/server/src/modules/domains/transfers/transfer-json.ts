import type { DomainTransfer } from '@atoll/contract/domains'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { getDid } from '../../accounts/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { shownDomain } from '../names/shown-domain.ts'
import { listOffers, type TransferRow } from '../records/transfer-store.ts'

export async function transferJson(
  { findNameOf }: Pick<DomainDeps, 'findNameOf'>,
  db: Db | Trx,
  domain: string,
  row: TransferRow,
): Promise<DomainTransfer> {
  return {
    id: row.id,
    domain,
    shown: shownDomain(domain),
    from: (await findNameOf(db, row.from_userid)) ?? (await getDid(db, row.from_userid)),
    to: `${row.to_name}@${domain}`,
    toUserid: row.to_did,
    isSigned: row.signed_at !== null,
    until: row.expires_at.toISOString(),
  }
}

/** Domains that `did` can take over. */
export async function offersJson(deps: DomainDeps, did: string): Promise<DomainTransfer[]> {
  const offers = await listOffers(deps.db, did, deps.clock.now())
  return await Promise.all(offers.map((row) => transferJson(deps, deps.db, row.name, row)))
}
