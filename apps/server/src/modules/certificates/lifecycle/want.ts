import type { DomainMethod } from '@atoll/contract/domains'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import type { ChallengeKind } from '../acme/ca.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import { insertCertificates, type ListedCertificate, listCertificates, setWanted } from '../stores/certificate-store.ts'
import { wakeCertificate } from './job.ts'

/** A domain that is set up, with its hosts directly under it. */
export interface WantedFor {
  number: number
  name: string
  method: DomainMethod
  hosts: readonly string[]
  /** Its owner has pointed `_acme-challenge` here: one wildcard takes the place of a certificate for each host. */
  isAliased: boolean
}

/** Of a name in DNS, `*.` included. */
const longestName = 253

const challengeOf = ({ method, isAliased }: Pick<WantedFor, 'method' | 'isAliased'>): ChallengeKind =>
  method === 'cname' && !isAliased ? 'http-01' : 'dns-01'

/** The certificates of a domain. With delegation wildcards can be proven; with CNAME each host is proven separately. */
function certificatesOf({ name, method, hosts, isAliased }: WantedFor): string[][] {
  const byCname = isAliased ? [[`*.${name}`]] : hosts.map((host) => [host])
  const wanted = method === 'cname' ? byCname : [[name, `*.${name}`], ...hosts.map((host) => [`*.${host}`])]
  // No authority has names that DNS cannot.
  return wanted.filter((names) => names.every((one) => one.length <= longestName))
}

/**
 * Has these certificates and no others; what is not wanted any more is served until it ends. While the domain moves to
 * the other way, what was proven in the former one is kept and renewed until new certificates serve in its place.
 */
export async function wantCertificates(
  deps: Pick<CertificateDeps, 'clock' | 'ca'>,
  trx: Trx,
  domain: WantedFor,
): Promise<void> {
  const now = deps.clock.now()
  const wanted = certificatesOf(domain)
  const rows = await listCertificates(trx, domain.number)
  const keyOf = (names: readonly string[]) => names.join(' ')
  const known = new Set(rows.map(({ names }) => keyOf(names)))
  const keys = new Set(wanted.map(keyOf))
  const challenge = challengeOf(domain)
  const serving = new Set(
    rows.flatMap((row) => (row.challenge === challenge && serves(row, now) ? row.names : ([] as string[]))),
  )
  const isKept = (row: ListedCertificate) =>
    row.challenge !== challenge && serves(row, now) && !isReplaced(row.names, domain, serving)
  const isWanted = (row: ListedCertificate) => keys.has(keyOf(row.names)) || isVisited(row, domain) || isKept(row)
  const over = rows.filter((row) => row.wanted && !isWanted(row)).map(({ id }) => id)
  const again = rows.filter((row) => !row.wanted && isWanted(row)).map(({ id }) => id)
  await setWanted(trx, over, false)
  await setWanted(trx, again, true)
  const added = await insertCertificates(
    trx,
    wanted
      .filter((names) => !known.has(keyOf(names)))
      .map((names) => ({
        id: newId('crt'),
        domain: domain.number,
        domain_name: domain.name,
        names,
        challenge,
        next_try_at: now,
        created_at: now,
      })),
  )
  if (deps.ca) for (const id of [...added, ...again]) await wakeCertificate(trx, id)
}

const serves = ({ not_after: end }: ListedCertificate, now: Date) => end !== null && end > now

const parentOf = (host: string) => host.slice(host.indexOf('.') + 1)

/**
 * Whether every host of `domain` that a certificate for `names` is for has another in the set of names `serving`. An
 * app's name below a host that is proven alone is ordered at its visit, once the host itself serves.
 */
export function isReplaced(
  names: readonly string[],
  { name: domain, hosts }: Pick<WantedFor, 'name' | 'hosts'>,
  serving: ReadonlySet<string>,
): boolean {
  const hasOther = (host: string) => serving.has(host) || serving.has(`*.${parentOf(host)}`)
  return names.every((one) => {
    if (one === domain) return true
    const below = one.slice(2)
    if (!one.startsWith('*.')) return !(hosts.includes(one) || hosts.includes(parentOf(one))) || hasOther(one)
    return below === domain ? hosts.every(hasOther) : !hosts.includes(below) || hasOther(below)
  })
}

/** Asked for by a visit of a host that there still is. */
function isVisited({ visited_cluster, names: [name = ''] }: ListedCertificate, { method, hosts }: WantedFor): boolean {
  return visited_cluster !== null && method === 'cname' && hosts.includes(parentOf(name))
}
