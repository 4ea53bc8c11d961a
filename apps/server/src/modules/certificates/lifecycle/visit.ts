/** What a visitor's handshake asks of the certificates: one for a host that has none yet, one that can be used. */
import { newId } from '../../../platform/crypto.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import {
  countVisited,
  insertCertificates,
  listCovering,
  lockVisitable,
  updateDue,
} from '../stores/certificate-store.ts'
import { wakeCertificate } from './job.ts'

/** By CNAME, of hosts below that of a cluster. */
const mostVisited = 10

/**
 * Has a certificate ordered for a host below a cluster's where no wildcard can be had: the first ten of a cluster that
 * are visited. True: one is coming. However many visitors ask at once, there is one row, and one order.
 */
export async function orderVisited(deps: CertificateDeps, host: string): Promise<boolean> {
  const { db, clock } = deps
  const found = await deps.domains.findHost(db, host)
  if (!deps.ca || !found || found.clusterHost === host) return false
  const [own] = await listCovering(db, found.clusterHost)
  return await db.transaction().execute(async (trx) => {
    const parent = own && (await lockVisitable(trx, own.id))
    if (!parent) return false
    if ((await countVisited(trx, found.clusterId)) >= mostVisited) return false
    const now = clock.now()
    const [id] = await insertCertificates(trx, [
      {
        id: newId('crt'),
        domain: parent.domain,
        domain_name: parent.domain_name,
        names: [host],
        challenge: 'http-01',
        visited_cluster: found.clusterId,
        next_try_at: now,
        created_at: now,
      },
    ])
    if (id !== undefined) await wakeCertificate(trx, id)
    return true
  })
}

/** Has a certificate made anew whose key cannot be opened. */
export async function replaceCertificate({ db, clock }: CertificateDeps, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await updateDue(trx, id, clock.now())) await wakeCertificate(trx, id)
  })
}
