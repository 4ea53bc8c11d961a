/** Requests of visitors' handshakes: a certificate for a host that has none yet, or one that can be used. */
import { newId } from '../../../platform/crypto.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import {
  insertCertificates,
  lockVisitable,
  type ServedCertificate,
  updateDue,
  updateVisited,
  visitCountedMs,
} from '../stores/certificate-store.ts'
import { wakeCertificate } from './job.ts'
import { mayBeOrdered } from './registered.ts'

/**
 * Orders a certificate for a host below a cluster's where no wildcard is possible, at the first visit of a name that
 * the cluster registers: names that visitors invent cost nothing. True: one is being ordered. However many visitors ask
 * at once, there is one row, and one order.
 */
export async function orderVisited(deps: CertificateDeps, host: string): Promise<boolean> {
  const { db, clock } = deps
  const found = await deps.domains.findHost(db, host)
  if (!deps.ca || !found || found.clusterHost === host) return false
  if (!(await mayBeOrdered(deps, found.clusterId, host))) return false
  return await db.transaction().execute(async (trx) => {
    const parent = await lockVisitable(trx, found.clusterHost)
    if (!parent) return false
    const now = clock.now()
    const [id] = await insertCertificates(trx, [
      {
        id: newId('crt'),
        domain: parent.domain,
        domain_name: parent.domain_name,
        names: [host],
        challenge: 'http-01',
        visited_cluster: found.clusterId,
        visited_at: now,
        next_try_at: now,
        created_at: now,
      },
    ])
    if (id !== undefined) await wakeCertificate(trx, id)
    return true
  })
}

/**
 * Records a visit to a certificate's name, once a day, so that the certificate is renewed further. One of the domain's
 * former method is replaced if the cluster registers the name.
 */
export async function noteVisit(deps: CertificateDeps, row: ServedCertificate, host: string): Promise<void> {
  const { db, clock, ca } = deps
  if (!ca) return
  if (!row.wanted) return void (await orderVisited(deps, host))
  const now = clock.now()
  if (row.visitedAt === null || now.getTime() - row.visitedAt.getTime() < visitCountedMs) return
  await db.transaction().execute(async (trx) => {
    if (await updateVisited(trx, row.id, now)) await wakeCertificate(trx, row.id)
  })
}

/** Orders a replacement for a certificate whose key cannot be opened. */
export async function replaceCertificate({ db, clock }: CertificateDeps, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await updateDue(trx, id, clock.now())) await wakeCertificate(trx, id)
  })
}
