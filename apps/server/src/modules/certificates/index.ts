/** HTTPS of customers' domains: certificates that are got, kept and served (lifecycle/decide.ts). */
import type { DomainCertificate } from '@atoll/contract/domains'
import type { PageFigures, PageQuery } from '@atoll/contract/wire'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Listener } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Log } from '../../platform/log.ts'
import { readPage } from '../../platform/paging/index.ts'
import type { AcmeDeps } from './acme/acme-ca.ts'
import type { Ca } from './acme/ca.ts'
import type { CertificateDeps } from './certificate-deps.ts'
import { certificateEnsure, certificateSweep, ordersPrune } from './lifecycle/job.ts'
import { certificateMails } from './lifecycle/mails.ts'
import { type OwnNames, wantOwnNames } from './lifecycle/own-names.ts'
import { wakeFailed } from './lifecycle/wake-failed.ts'
import { type WantedFor, wantCertificates } from './lifecycle/want.ts'
import { type CertificateSource, createCertificateSource } from './serving/certificate-source.ts'
import {
  certificatesUnder,
  deleteCertificates,
  findNamed,
  listCertificates,
  notifyEdges,
} from './stores/certificate-store.ts'
import { listDnsChallenges } from './stores/order-store.ts'
import { certificateJson, describeHttps } from './views.ts'

export { certificateKeyMoves } from './key-moves.ts'
export { type OwnNames, withOwnNames } from './lifecycle/own-names.ts'
export { certificateTimes } from './stored-times.ts'
export { measureCertificates, summariseCertificates } from './views.ts'

/** Certificates as domains need them: commands and questions. */
export interface DomainCertificates {
  /** Records in the zone of `domain` for its certificates: which authorities may issue, and the open challenges. */
  listRecords(trx: Trx, domain: string): Promise<{ name: string; type: 'TXT' | 'CAA'; value: string }[]>
  /** Has certificates for a domain that is set up and for its hosts, and for no others. Safe to repeat. */
  want(trx: Trx, domain: WantedFor): Promise<void>
  /** Drops every certificate of a domain, its keys and open orders. Safe to repeat. */
  drop(trx: Trx, domain: number): Promise<void>
  /** Has what failed tried now: something was mended. Safe to repeat. */
  wake(trx: Trx, domain: number): Promise<void>
  /** Drops what a visit of `name` ordered. `stays`: it is for a cluster's own host or for all of the domain. */
  remove(trx: Trx, domain: number, name: string): Promise<'removed' | 'stays' | 'none'>
  /** A page of the certificates of a domain, by their names. */
  list(db: Db, domain: number, page: PageQuery): Promise<PageFigures & { certificates: DomainCertificate[] }>
  describe(db: Db | Trx, domain: number): ReturnType<typeof describeHttps>
  /** The names of each certificate that a domain should have, and its end; null while it does not exist yet. */
  listEnds(db: Db | Trx, domain: number): Promise<{ names: string[]; validUntil: Date | null }[]>
}

export interface Certificates extends DomainCertificates {
  jobs: Job[]
  /** Has certificates for the hosts of this deployment itself, and for no others of its own. Safe to repeat. */
  wantOwn(trx: Trx, own: OwnNames): Promise<void>
  /** For an edge. */
  openSource(): CertificateSource
}

/** The authority behind an ACME directory. Loaded where one is configured: its client is large. */
export async function openAcmeCa(deps: AcmeDeps): Promise<Ca> {
  const { createAcmeCa } = await import('./acme/acme-ca.ts')
  return createAcmeCa(deps)
}

/** Made before domains, which order through it; what works on the orders is made after them. */
export function createDomainCertificates(deps: Pick<CertificateDeps, 'clock' | 'ca' | 'issuer'>): DomainCertificates {
  const { issuer } = deps
  return {
    async listRecords(trx, domain) {
      const challenges = await listDnsChallenges(trx, domain)
      return [
        ...(issuer === undefined ? [] : [{ name: domain, type: 'CAA' as const, value: `0 issue "${issuer}"` }]),
        ...challenges.map(({ host, answer }) => ({
          name: `_acme-challenge.${host}`,
          type: 'TXT' as const,
          value: answer,
        })),
      ]
    },
    want: (trx, domain) => wantCertificates(deps, trx, domain),
    drop: dropCertificates,
    wake: (trx, domain) => wakeFailed(deps, trx, domain),
    async remove(trx, domain, name) {
      const row = await findNamed(trx, domain, name)
      if (!row) return 'none'
      if (row.visited_cluster === null) return 'stays'
      await notifyEdges(trx, await deleteCertificates(trx, { id: row.id }))
      return 'removed'
    },
    async list(db, domain, page) {
      const { rows, figures } = await readPage(certificatesUnder(db, domain), page)
      const now = deps.clock.now()
      return { certificates: rows.map((row) => certificateJson(row, now)), ...figures }
    },
    describe: (db, domain) => describeHttps(deps, db, domain),
    async listEnds(db, domain) {
      const rows = await listCertificates(db, domain)
      return rows.flatMap(({ wanted, names, not_after }) => (wanted ? [{ names, validUntil: not_after }] : []))
    },
  }
}

export function createCertificates(deps: CertificateDeps & { listener: Listener; log: Log }): Certificates {
  const { ca } = deps
  return {
    ...createDomainCertificates(deps),
    jobs: ca
      ? [certificateEnsure({ ...deps, ca }), certificateSweep(deps), certificateMails(deps), ordersPrune(deps)]
      : [],
    wantOwn: (trx, own) => wantOwnNames(deps, trx, own),
    openSource: () => createCertificateSource(deps),
  }
}

/** Drops every certificate of a domain, its keys and open orders. Safe to repeat. */
export async function dropCertificates(trx: Trx, domain: number): Promise<void> {
  await notifyEdges(trx, await deleteCertificates(trx, { domain }))
}
