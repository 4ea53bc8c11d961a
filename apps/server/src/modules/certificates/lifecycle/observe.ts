/** Observations of a certificate: its row, its order at the authority, and what is served. Writes nothing. */
import { type Ca, type CaFault, type CaOrder, isCaFault } from '../acme/ca.ts'
import type { CertificateDeps, ServedDomain } from '../certificate-deps.ts'
import { type CertificateRow, isUnvisited } from '../stores/certificate-store.ts'
import { openCertificate } from '../stores/open-certificate.ts'
import { findOpenOrder, listChallenges, type OrderRow } from '../stores/order-store.ts'
import type { CertificateFacts } from './decide.ts'
import { findObstacle } from './find-obstacle.ts'
import { planRenewal } from './plan-renewal.ts'
import { isByAlias, isRegistered, zoneNameOf } from './registered.ts'
import type { Renewal } from './renewal.ts'

export interface Observation {
  id: string
  row: CertificateRow
  order: OrderRow | undefined
  seen: CaOrder | undefined
  renewal: Renewal | undefined
  facts: CertificateFacts
}

export async function observe(deps: CertificateDeps & { ca: Ca }, row: CertificateRow): Promise<Observation> {
  const { db, clock, ca } = deps
  const now = clock.now()
  const isDue = row.wanted && row.next_try_at <= now
  const [domain, order] = await Promise.all([deps.domains.find(db, row.domain), findOpenOrder(db, row.id)])
  const asked = order && isDue ? await readOrder(ca, order.url, row) : {}
  const published = order ? await listChallenges(db, order.id) : []
  const served = readServed(deps, row)
  const renewal = isDue && !order && served ? await planRenewal(ca, row, { served, now }) : undefined
  const isOrdering = isDue && !order && (!renewal || renewal.at <= now)
  const facts: CertificateFacts = {
    now,
    // Its domain was removed while it was being ordered, or its cluster no longer registers the name.
    isWanted: row.wanted && domain !== undefined && (await isRegistered(deps, row)),
    isLost: domain !== undefined && (domain.isLost || !isProvable(row, domain)),
    served,
    renewal,
    nextTryAt: row.next_try_at,
    isUnvisited: isUnvisited(row, now),
    obstacle: isOrdering ? await findObstacle(deps, row, now) : undefined,
    order: order && {
      createdAt: order.created_at,
      published: published.map(({ token }) => token),
      isAnswered: await isAnswered(deps, row, order, published.length),
      ...asked,
    },
  }
  return { id: row.id, row, order, seen: asked.seen, renewal, facts }
}

/** Whether the domain points here in the way by which the certificate is proven. */
function isProvable(row: CertificateRow, { isDelegated, isAliased }: ServedDomain): boolean {
  if (row.challenge === 'http-01') return true
  return isByAlias(row) ? isAliased : isDelegated
}

async function readOrder(ca: Ca, url: string, row: CertificateRow): Promise<{ seen?: CaOrder; fault?: CaFault }> {
  try {
    return { seen: await ca.read(url, row.challenge) }
  } catch (error) {
    if (isCaFault(error)) return { fault: error }
    throw error
  }
}

/** A certificate without its key is none. */
function readServed({ sealer }: CertificateDeps, row: CertificateRow) {
  if (row.not_before === null || row.not_after === null) return undefined
  const opened = openCertificate(sealer, { chain: row.chain, sealedKey: row.sealed_key })
  return opened && { notBefore: row.not_before, notAfter: row.not_after }
}

async function isAnswered(
  deps: CertificateDeps,
  row: CertificateRow,
  order: OrderRow,
  published: number,
): Promise<boolean> {
  if (published === 0) return false
  // Every edge reads the row when it is asked.
  if (row.challenge === 'http-01') return true
  if (order.zone_version === null) return false
  return await deps.dns.isServed({ domain: zoneNameOf(deps, row), version: order.zone_version })
}
