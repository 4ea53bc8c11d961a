import { getDomain } from 'tldts'
import type { CertificateDeps } from '../certificate-deps.ts'
import type { CertificateRow } from '../stores/certificate-store.ts'
import { listFailed, listIssued } from '../stores/order-store.ts'
import type { CertificateWorld } from './decide.ts'

const hourMs = 60 * 60_000
const weekMs = 7 * 24 * hourMs
/** What authorities bear (Let's Encrypt's limits): of a name an hour, of a registered domain a week. */
const mostFailures = 5
const mostIssued = 50

/** Why no order may be made now; what it waits for lies with others than the authority. */
export async function findObstacle(
  { db, dns }: Pick<CertificateDeps, 'db' | 'dns'>,
  row: CertificateRow,
  now: Date,
): Promise<CertificateWorld['obstacle']> {
  const [failed, issued] = await Promise.all([
    listFailed(db, row.names, new Date(now.getTime() - hourMs)),
    listIssued(db, registrableOf(row.domain_name), new Date(now.getTime() - weekMs)),
  ])
  const after = (first: Date | undefined, ms: number) => first && new Date(first.getTime() + ms)
  if (failed.length >= mostFailures) return { problem: 'orderLimit', until: after(failed.at(-mostFailures), hourMs) }
  // Renewals are neither counted nor held back.
  if (row.chain === null && issued.length >= mostIssued)
    return { problem: 'orderLimit', until: after(issued.at(-mostIssued), weekMs) }
  // Where the zone is ours, what it says is, too.
  const isForbidden = row.challenge === 'http-01' && (await dns.forbidsIssuer(row.domain_name))
  return isForbidden ? { problem: 'caaForbids' } : undefined
}

/** As authorities count: the part that somebody registered, such as `lagoon.example`. */
export function registrableOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
