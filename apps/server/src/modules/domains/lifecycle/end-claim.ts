import type { Trx } from '../../../platform/db/index.ts'
import type { AuditSource } from '../../audit/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import type { DomainRow } from '../store/domain-store.ts'
import { changeDomain } from './domain-events.ts'
import { isProven } from './domain-state.ts'

/**
 * Ends a claim with all that it has: credential, zone and names. The caller holds the names' lock and the row, so that
 * nothing of it comes to be meanwhile.
 */
export async function endClaim(deps: DomainDeps, trx: Trx, row: DomainRow, source: AuditSource): Promise<void> {
  const now = deps.clock.now()
  const changes = { released_at: now, next_check_at: null }
  const isWritten = await changeDomain(trx, row, changes, { source, action: 'domain.remove', now })
  if (!isWritten) throw new Error(`The domain ${row.number} changed while it was locked`)
  await deps.credentials.revoke(trx, row.number)
  // A name that only waits for its proof has nothing of its own, and may be somebody else's.
  if (!isProven(row.status)) return
  await deps.dns.removeZone(trx, { domain: row.name })
  await deps.names.release(trx, row.name)
}
