/** The caller's own domain. Somebody else's is as one that does not exist. */
import type { DomainsAuditAction } from '@atoll/contract/domains'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { isNameFault, parseDomainName } from '../names/domain-name.ts'
import { type DomainEvent, isBound, nextStatus } from '../records/domain-state.ts'
import { type DomainRow, findOwnDomain, lockOwnDomain } from '../records/domain-store.ts'
import { changeDomain } from './domain-events.ts'

export async function getDomain(deps: DomainDeps, { userid }: Caller, domain: string): Promise<DomainRow> {
  return (await findOwnDomain(deps.db, userid, nameToFind(domain))) ?? refuse('notFound', { object: 'domain' })
}

/** The account is locked first, then the row. */
export async function lockDomain(deps: DomainDeps, trx: Trx, { userid }: Caller, domain: string): Promise<DomainRow> {
  await deps.lockAccount(trx, userid)
  return (await lockOwnDomain(trx, userid, nameToFind(domain))) ?? refuse('notFound', { object: 'domain' })
}

/** A name that nobody can have is one that is not found. */
export function nameToFind(typed: string): string {
  const name = parseDomainName(typed, [])
  return isNameFault(name) ? '' : name.domain
}

export function sourceOf({ userid, sessionId, ip }: Caller) {
  return { actor: { userid, sessionId }, ip }
}

/** Writes a row that is locked, as the caller asks. */
export async function changeOwn(
  trx: Trx,
  caller: Caller,
  row: DomainRow,
  changes: Parameters<typeof changeDomain>[2],
  action: DomainsAuditAction,
  now: Date,
): Promise<void> {
  const isWritten = await changeDomain(trx, row, changes, { source: sourceOf(caller), action, now })
  if (!isWritten) throw new Error(`The domain ${row.number} changed while it was locked`)
}

/** Events on the way to a linked domain: each needs control of the name now. */
const leadsOn: ReadonlySet<DomainEvent> = new Set(['issued', 'approved', 'approvedNamed', 'ruled'])

export function requireEvent(row: DomainRow, event: DomainEvent): DomainRow['status'] {
  const status = nextStatus(row.status, event) ?? refuseNow(row)
  if (leadsOn.has(event) && row.unseen_since !== null && !isBound(row.status)) refuse('domainUnseen')
  return status
}

export function refuseNow(row: DomainRow): never {
  return refuse('domainNotNow', { domainStatus: row.status })
}
