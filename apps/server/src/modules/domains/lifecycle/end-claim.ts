/** The end of a claim to a domain, with all that it has. */
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { AuditSource } from '../../audit/index.ts'
import type { DomainCredentials, DomainDeps, DomainDns } from '../domain-deps.ts'
import { isNameFault, parseDomainName } from '../names/domain-name.ts'
import { type DomainRow, findProvenDomain, haveWaitingChecked, lockOwnDomain } from '../store/domain-store.ts'
import { bySystem, changeDomain } from './domain-events.ts'
import { isProven } from './domain-state.ts'
import { wakeDomain } from './job.ts'

export interface EndDeps {
  db: Db
  clock: DomainDeps['clock']
  credentials: Pick<DomainCredentials, 'revoke'>
  dns: Pick<DomainDns, 'removeZone'>
  names: Pick<DomainDeps['names'], 'lock' | 'release'>
}

/**
 * Ends a claim with all that it has: credential, zone and names; whoever waits for the name is looked at at once. The
 * caller holds the names' lock and the row, so that nothing of it comes to be meanwhile.
 */
export async function endClaim(deps: EndDeps, trx: Trx, row: DomainRow, source: AuditSource): Promise<void> {
  const now = deps.clock.now()
  const changes = { released_at: now, next_check_at: null }
  const isWritten = await changeDomain(trx, row, changes, { source, action: 'domain.remove', now })
  if (!isWritten) throw new Error(`The domain ${row.number} changed while it was locked`)
  await deps.credentials.revoke(trx, row.number)
  // A name that only waits for its proof has nothing of its own, and may be somebody else's.
  if (!isProven(row.status)) return
  await deps.dns.removeZone(trx, { domain: row.name })
  await deps.names.release(trx, row.name)
  for (const number of await haveWaitingChecked(trx, row.name, now)) await wakeDomain(trx, number)
}

/** The operator takes a proven domain from whoever has it; gives their userid, or undefined where nobody has it. */
export async function releaseDomain(deps: EndDeps, domain: string): Promise<string | undefined> {
  const name = parseDomainName(domain, [])
  if (isNameFault(name)) return undefined
  return await deps.db.transaction().execute(async (trx) => {
    await deps.names.lock(trx)
    const found = await findProvenDomain(trx, name.domain)
    const row = found && (await lockOwnDomain(trx, found.userid, found.name))
    if (!row || !isProven(row.status)) return undefined
    await endClaim(deps, trx, row, bySystem)
    return row.userid
  })
}
