import type { HttpsFault, HttpsProblem } from '@atoll/contract/domains'
import type { CertificateDeps } from '../certificate-deps.ts'
import type { CertificateRow } from '../stores/certificate-store.ts'
import { zoneNameOf } from './registered.ts'

const known: Record<Exclude<HttpsProblem, 'challengeFailed'>, HttpsFault | null> = {
  caUnreachable: 'authority',
  caLimited: 'authority',
  caRefused: 'authority',
  caaForbids: 'owner',
  orderLimit: null,
}

/**
 * Finds who has to mend a problem. Where the authority could not check a name, the owner's records and our name servers
 * are queried: the owner is at fault only when an answer shows it, never because of silence.
 */
export async function findFault(
  { domains, dns }: Pick<CertificateDeps, 'domains' | 'dns'>,
  row: Pick<CertificateRow, 'domain' | 'domain_name' | 'names' | 'challenge'>,
  problem: HttpsProblem,
  zoneVersion: number | null,
): Promise<HttpsFault | null> {
  if (problem !== 'challengeFailed') return known[problem]
  if ((await domains.pointsHere(row.domain)) === false) return 'owner'
  if (row.challenge === 'http-01') return 'authority'
  const servers = await dns.seeServed({ domain: zoneNameOf({ dns }, row), version: zoneVersion ?? 0 })
  const allServe = servers.every(({ answered, isServed }) => answered && isServed)
  return servers.length > 0 && allServe ? 'authority' : 'nameServer'
}
