/** Writes what became of a domain: its row, the record of it, and the published change, in the caller's transaction. */
import type { DomainsAuditAction } from '@atoll/contract/domains'
import type { Updateable } from 'kysely'
import type { Tables, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import { type DomainRow, listWaiting, updateDomain } from '../records/domain-store.ts'
import { leadsHere, publishHostsUnder } from '../records/host-store.ts'

export const bySystem: AuditSource = { actor: 'system', ip: null }

/** Changes that go with every change of a step: the schedule of checks restarts, and the problem is cleared. */
export function checksFrom(now: Date) {
  return { checks_since: now, next_check_at: now, problem: null, problem_since: null } as const
}

/** False: the row was changed since it was read, and nothing is written. */
export async function changeDomain(
  trx: Trx,
  row: DomainRow,
  changes: Updateable<Tables['domains']>,
  record: { source: AuditSource; action: DomainsAuditAction; now: Date },
): Promise<boolean> {
  const { source, action, now } = record
  if (!(await updateDomain(trx, row, { ...changes, updated_at: now }))) return false
  const next: DomainRow = { ...row, ...(changes as Partial<DomainRow>) } // no expressions are passed
  await recordDomain(trx, source, action, { before: row, after: changes.released_at ? null : next })
  await publishChange(trx, { account: row.userid, topic: 'domain', id: String(row.number) })
  // The clusters under it are shown at another address.
  if (leadsHere(row) !== leadsHere(next)) await publishHostsUnder(trx, row.number)
  // The name was taken or is free again.
  if ((row.proven_at === null) !== (next.proven_at === null) || changes.released_at) {
    for (const { userid, number } of await listWaiting(trx, row.name))
      await publishChange(trx, { account: userid, topic: 'domain', id: String(number) })
  }
  return true
}

/** `before` null: it was added. */
export async function recordDomain(
  trx: Trx,
  source: AuditSource,
  action: DomainsAuditAction,
  { before, after }: { before: DomainRow | null; after: DomainRow | null },
): Promise<void> {
  const row = after ?? before
  if (!row) throw new Error('A record of no domain')
  await recordAudit(trx, {
    ...source,
    action,
    object: { kind: 'domain', id: String(row.number), owner: row.userid, name: row.name },
    before: before && factsOf(before),
    after: after && factsOf(after),
  })
}

function factsOf(row: DomainRow) {
  return {
    domainStatus: row.status,
    domainMethod: row.method,
    ...(row.rule_type && { ruleType: row.rule_type }),
    ...(row.rule_data && { ruleData: row.rule_data }),
  }
}
