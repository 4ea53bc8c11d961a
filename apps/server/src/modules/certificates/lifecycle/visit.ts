/** What a visitor's handshake asks of the certificates: one for a host that has none yet, one that can be used. */
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
 * Has a certificate ordered for a host below a cluster's where no wildcard can be had, at the first visit of a name that
 * the cluster registers: names that visitors invent cost nothing. True: one is coming. However many visitors ask at
 * once, there is one row, and one order.
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
 * Notes a visit of a certificate's name, once a day: the certificate goes on being renewed, and one of the former way of
 * its domain is replaced where the cluster registers the name.
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

/** Has a certificate made anew whose key cannot be opened. */
export async function replaceCertificate({ db, clock }: CertificateDeps, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await updateDue(trx, id, clock.now())) await wakeCertificate(trx, id)
  })
}
