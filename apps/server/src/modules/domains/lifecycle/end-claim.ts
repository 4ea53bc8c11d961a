/** The end of a claim to a domain, with all that it has. */

import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { findAccountOfDid, getDid } from '../../accounts/index.ts'
import type { AuditSource } from '../../audit/index.ts'
import type { DomainCertificates, DomainCredentials, DomainDeps, DomainDns } from '../domain-deps.ts'
import { isNameFault, parseDomainName } from '../names/domain-name.ts'
import type { NotifyPerson } from '../notify-person.ts'
import { isProven } from '../records/domain-state.ts'
import {
  type DomainRow,
  findProvenDomain,
  haveWaitingChecked,
  listDomains,
  lockOwnDomain,
  lockProvenDomain,
} from '../records/domain-store.ts'
import { deleteHostsUnder } from '../records/host-store.ts'
import { deleteMembers, membersOf } from '../records/member-store.ts'
import { setOwnRecords } from '../records/own-record-store.ts'
import { endTransfers } from '../records/transfer-store.ts'
import { dropContestsBy } from './contest.ts'
import { bySystem, changeDomain, recordDomain } from './domain-events.ts'
import { wakeDomain } from './wake-domain.ts'

export interface EndDeps {
  db: Db
  clock: DomainDeps['clock']
  credentials: Pick<DomainCredentials, 'revoke'>
  dns: Pick<DomainDns, 'removeZone' | 'challenges'>
  names: Pick<DomainDeps['names'], 'lock' | 'release'>
  notify: NotifyPerson
  certificates: Pick<DomainCertificates, 'drop'>
}

/**
 * Ends a claim with all that it has: credential, zone, hosts, certificates and names; claims that wait for the name are
 * checked at once. The caller holds the names' lock and the row, so that none of these is created meanwhile.
 */
export async function endClaim(
  deps: EndDeps,
  trx: Trx,
  row: DomainRow,
  source: AuditSource,
  action: 'domain.remove' | 'domain.release' | 'domain.takeAway' = 'domain.remove',
): Promise<void> {
  const now = deps.clock.now()
  const changes = { released_at: now, next_check_at: null }
  const isWritten = await changeDomain(trx, row, changes, { source, action, now })
  if (!isWritten) throw new Error(`The domain ${row.number} changed while it was locked`)
  await deps.credentials.revoke(trx, row.number)
  await dropContestsBy(deps, trx, row.number, now)
  // One that was started over or lapsed has them still.
  await setOwnRecords(trx, row.number, [])
  // A name that only waits for its proof has nothing of its own, and may be somebody else's.
  if (isProven(row.status)) await endUse(deps, trx, row, now)
}

/** Ends what a proven name is used for: zone, hosts, certificates and names; claims that wait for it are checked. */
export async function endUse(deps: Omit<EndDeps, 'db' | 'clock'>, trx: Trx, row: DomainRow, now: Date): Promise<void> {
  await deps.dns.removeZone(trx, { domain: row.name })
  const challenges = row.challenge_alias ? deps.dns.challenges?.zoneOf(row.name) : undefined
  if (challenges !== undefined) await deps.dns.removeZone(trx, { domain: challenges })
  const offer = await endTransfers(trx, row.number, 'removed', now)
  const offered = offer && (await findAccountOfDid(trx, offer.to_did))
  if (offered) await publishChange(trx, { account: offered, topic: 'domain', id: String(row.number) })
  const members = await membersOf(trx, row.number).where('did', 'is not', null).execute()
  await deleteHostsUnder(trx, row.number)
  await deps.certificates.drop(trx, row.number)
  await deps.names.release(trx, row.name)
  await deleteMembers(trx, row.number)
  for (const { did, name } of members) {
    const member = await findAccountOfDid(trx, did ?? '')
    if (member !== undefined && member !== row.userid)
      await deps.notify(trx, member, { event: 'nameLost', domain: row.name, name: `${name}@${row.name}` })
  }
  for (const number of await haveWaitingChecked(trx, row.name, now)) await wakeDomain(trx, number)
}

/** Ends all claims of an account that ends. Safe to repeat. */
export async function endDomains(deps: EndDeps, trx: Trx, userid: string): Promise<void> {
  await deps.names.lock(trx)
  for (const { name } of await listDomains(trx, userid)) {
    const row = await lockOwnDomain(trx, userid, name)
    if (row) await endClaim(deps, trx, row, bySystem, 'domain.release')
  }
}

/** The operator takes a proven domain from its owner; returns the owner's DID, or undefined where nobody has it. */
export async function releaseDomain(deps: EndDeps, domain: string): Promise<string | undefined> {
  const name = parseDomainName(domain, [])
  if (isNameFault(name)) return undefined
  return await deps.db.transaction().execute(async (trx) => {
    await deps.names.lock(trx)
    const found = await findProvenDomain(trx, name.domain)
    const row = found && (await lockOwnDomain(trx, found.userid, found.name))
    if (!row || !isProven(row.status)) return undefined
    await endClaim(deps, trx, row, bySystem, 'domain.takeAway')
    return await getDid(trx, row.userid)
  })
}

/** The operator revokes the credential of a proven domain; `revoke` gives how many there were. */
export async function recordRevocation(
  trx: Trx,
  domain: string,
  revoke: (number: number) => Promise<number>,
): Promise<number | undefined> {
  const name = parseDomainName(domain, [])
  const row = isNameFault(name) ? undefined : await lockProvenDomain(trx, name.domain)
  if (!row) return undefined
  const count = await revoke(row.number)
  if (count > 0) {
    await recordDomain(trx, bySystem, 'domain.revoke', { before: row, after: row })
    await publishChange(trx, { account: row.userid, topic: 'domain', id: String(row.number) })
  }
  return count
}
