/** What is shown of certificates: to a domain's owner, and to the operator. */
import type { DomainHttps } from '@atoll/contract/domains'
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { CertificateDeps } from './certificate-deps.ts'
import { listCertificates } from './stores/certificate-store.ts'

/** How HTTPS of a domain is: of all its certificates what is worst. */
export async function describeHttps(
  { ca, clock }: CertificateDeps,
  db: Db | Trx,
  domain: number,
): Promise<DomainHttps> {
  const rows = (await listCertificates(db, domain)).filter(({ wanted }) => wanted)
  const ends = rows.flatMap(({ not_after }) => not_after ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  const [first] = ends
  const failing = rows
    .filter(({ problem }) => problem !== null)
    .toSorted((a, b) => Number(a.not_after ?? 0) - Number(b.not_after ?? 0))[0]
  const validUntil = first?.toISOString() ?? null
  const state = () => {
    if (!ca) return 'off'
    if (rows.length === 0) return 'none'
    if (ends.length < rows.length) return 'waiting'
    return first !== undefined && first <= clock.now() ? 'expired' : 'valid'
  }
  return {
    state: state(),
    validUntil,
    problem:
      failing?.problem && failing.problem_since
        ? {
            key: failing.problem,
            since: failing.problem_since.toISOString(),
            detail: failing.problem_detail,
            nextAt: failing.next_try_at.toISOString(),
          }
        : null,
  }
}

export interface CertificateFigures {
  /** Orders of the last 30 days. */
  orders: { state: string; count: number }[]
  /** Of the certificate that ends first; undefined: there is none. */
  daysToExpiry: number | undefined
}

export async function measureCertificates(db: Db, now: Date): Promise<CertificateFigures> {
  const orders = await db
    .selectFrom('acme_orders')
    .select((from) => ['state', from.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const { first } = await db
    .selectFrom('certificates')
    .select(sql<Date | null>`min(not_after)`.as('first'))
    .where('wanted', '=', true)
    .executeTakeFirstOrThrow()
  return {
    orders: orders.map(({ state, count }) => ({ state, count: Number(count) })),
    daysToExpiry: first === null ? undefined : (first.getTime() - now.getTime()) / (24 * 60 * 60_000),
  }
}
