import type { DomainMethod } from '@atoll/contract/domains'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import { insertCertificates, type ListedCertificate, listCertificates, setWanted } from '../stores/certificate-store.ts'
import { wakeCertificate } from './job.ts'

/** A domain that is set up, with its hosts directly under it. */
export interface WantedFor {
  number: number
  name: string
  method: DomainMethod
  hosts: readonly string[]
}

/** Which certificates a domain has. By delegation wildcards can be proven; by CNAME each host is proven by itself. */
function certificatesOf({ name, method, hosts }: WantedFor): string[][] {
  if (method === 'cname') return hosts.map((host) => [host])
  return [[name, `*.${name}`], ...hosts.map((host) => [`*.${host}`])]
}

/** Has these certificates and no others; what is not wanted any more is served until it ends. */
export async function wantCertificates(deps: CertificateDeps, trx: Trx, domain: WantedFor): Promise<void> {
  const now = deps.clock.now()
  const wanted = certificatesOf(domain)
  const rows = await listCertificates(trx, domain.number)
  const keyOf = (names: readonly string[]) => names.join(' ')
  const known = new Set(rows.map(({ names }) => keyOf(names)))
  const keys = new Set(wanted.map(keyOf))
  const isWanted = (row: ListedCertificate) => keys.has(keyOf(row.names)) || isVisited(row, domain)
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
        challenge: domain.method === 'cname' ? ('http-01' as const) : ('dns-01' as const),
        next_try_at: now,
        created_at: now,
      })),
  )
  if (deps.ca) for (const id of [...added, ...again]) await wakeCertificate(trx, id)
}

/** Asked for by a visit of a host that there still is. */
function isVisited({ visited_cluster, names: [name = ''] }: ListedCertificate, { method, hosts }: WantedFor): boolean {
  return visited_cluster !== null && method === 'cname' && hosts.includes(name.slice(name.indexOf('.') + 1))
}
