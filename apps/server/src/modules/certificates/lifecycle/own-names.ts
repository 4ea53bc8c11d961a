/**
 * The deployment's own hosts (console, wallet, vault) and the wildcard of its clusters, where the edge ends TLS itself.
 * They are certificates like those of customers' domains, of a domain that no customer has. A host is proven over HTTP,
 * the wildcard by `_acme-challenge`, which the operator points by CNAME to the zone for challenges.
 */
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import {
  insertCertificates,
  listCertificates,
  lockCertificates,
  ownDomain,
  setWanted,
} from '../stores/certificate-store.ts'
import { listDnsChallenges } from '../stores/order-store.ts'
import { wakeCertificate } from './job.ts'

export interface OwnNames {
  hosts: readonly string[]
  /** Clusters answer below it. */
  edgeDomain: string
}

/** Has these certificates and no other own ones. The wildcard only where there is a zone for its challenge. */
export async function wantOwnNames(deps: CertificateDeps, trx: Trx, { hosts, edgeDomain }: OwnNames): Promise<void> {
  const now = deps.clock.now()
  const wildcard = { domain_name: edgeDomain, names: [`*.${edgeDomain}`], challenge: 'dns-01' as const }
  const wanted = [
    ...hosts.map((host) => ({ domain_name: host, names: [host], challenge: 'http-01' as const })),
    ...(hosts.length > 0 && deps.dns.challenges ? [wildcard] : []),
  ]
  const isWanted = ({ names }: { names: readonly string[] }) => wanted.some((one) => one.names[0] === names[0])
  await lockCertificates(trx, ownDomain)
  const rows = await listCertificates(trx, ownDomain)
  const over = rows.filter((row) => row.wanted && !isWanted(row))
  const again = rows.filter((row) => !row.wanted && isWanted(row))
  for (const [changed, is] of [
    [over, false],
    [again, true],
  ] as const)
    await setWanted(
      trx,
      changed.map(({ id }) => id),
      is,
    )
  const added = await insertCertificates(
    trx,
    wanted.map((one) => ({ id: newId('crt'), domain: ownDomain, ...one, next_try_at: now, created_at: now })),
  )
  for (const id of [...added, ...again.map((row) => row.id)]) await wakeCertificate(trx, id)
}

export interface OwnNamesDeps {
  edgeDomain: string
  log: Log
  dns: {
    challenges?: { zoneOf(domain: string): string } | undefined
    nameServers: readonly string[]
    setZone(
      trx: Trx,
      zone: { domain: string; nameServers: string[]; records: { name: string; type: 'TXT'; value: string }[] },
    ): Promise<{ version: number }>
  }
}

/** Extends the interface of domains that certificates use by our own names. */
export function withOwnNames(
  domains: CertificateDeps['domains'],
  { edgeDomain, log, dns }: OwnNamesDeps,
): CertificateDeps['domains'] {
  return {
    ...domains,
    async find(db, number) {
      if (number !== ownDomain) return await domains.find(db, number)
      return { name: edgeDomain, isLost: false, isDelegated: false, isAliased: true }
    },
    async rewrite(trx, number, write) {
      if (number !== ownDomain) return await domains.rewrite(trx, number, write)
      // Two that write at once would each publish what it read before the other.
      await lockCertificates(trx, ownDomain)
      await write()
      if (!dns.challenges) return { zoneVersion: null }
      const name = dns.challenges.zoneOf(edgeDomain)
      const records = (await listDnsChallenges(trx, edgeDomain)).map(
        ({ answer: value }) => ({ name, type: 'TXT', value }) as const,
      )
      const { version } = await dns.setZone(trx, { domain: name, nameServers: [...dns.nameServers], records })
      return { zoneVersion: version }
    },
    pointsHere: async (number) => (number === ownDomain ? undefined : await domains.pointsHere(number)),
    async notifyOwner(trx, number, news) {
      if (number === ownDomain) log.error({ news }, "a certificate of this deployment's own hosts is not got")
      else await domains.notifyOwner(trx, number, news)
    },
    findAccount: async (db, number, name) =>
      number === ownDomain ? undefined : await domains.findAccount(db, number, name),
  }
}
