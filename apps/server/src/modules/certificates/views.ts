/** Views of certificates: for a domain's owner, and for the operator. */
import type { DomainCertificate, DomainHttps } from '@atoll/contract/domains'
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { CertificateDeps } from './certificate-deps.ts'
import {
  isUnvisited,
  type ListedCertificate,
  limitProblems,
  listCertificates,
  ownDomain,
} from './stores/certificate-store.ts'

/** How HTTPS of a domain is: of all its certificates what is worst. */
export async function describeHttps(
  { ca, clock }: Pick<CertificateDeps, 'ca' | 'clock'>,
  db: Db | Trx,
  domain: number,
): Promise<DomainHttps> {
  const now = clock.now()
  const rows = (await listCertificates(db, domain)).filter((row) => row.wanted && !isUnvisited(row, now))
  // While it moves from one way to the other, the certificates of the former one serve.
  const isMoving = new Set(rows.map(({ challenge }) => challenge)).size > 1
  const serving = isMoving ? rows.filter(({ not_after }) => not_after !== null) : rows
  const ends = serving.flatMap(({ not_after }) => not_after ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  const [first] = ends
  const failing = rows
    .filter(({ problem }) => problem !== null)
    .toSorted((a, b) => Number(a.not_after ?? 0) - Number(b.not_after ?? 0))[0]
  const validUntil = first?.toISOString() ?? null
  const state = () => {
    if (!ca) return 'off'
    if (rows.length === 0) return 'none'
    if (ends.length < serving.length) return 'waiting'
    return first !== undefined && first <= now ? 'expired' : 'valid'
  }
  return {
    state: state(),
    validUntil,
    problem:
      failing?.problem && failing.problem_since
        ? {
            key: failing.problem,
            fault: failing.problem_fault,
            since: failing.problem_since.toISOString(),
            detail: failing.problem_detail,
            nextAt: failing.next_try_at.toISOString(),
          }
        : null,
    actions: rows.some(({ problem }) => problem !== null && !limitProblems.includes(problem)) ? ['retry'] : [],
  }
}

/** One certificate as its domain's owner sees it. */
export function certificateJson(row: ListedCertificate, now: Date): DomainCertificate {
  const { names, not_after: end, visited_at: visitedAt, problem } = row
  return {
    names,
    state: end === null ? 'waiting' : end <= now ? 'expired' : 'valid',
    validUntil: end?.toISOString() ?? null,
    isRenewed: row.wanted && !isUnvisited(row, now),
    visitedAt: visitedAt?.toISOString() ?? null,
    problem,
    actions: row.visited_cluster === null ? [] : ['remove'],
  }
}

export interface CertificateFigures {
  /** Orders of the last 30 days. */
  orders: { state: string; count: number }[]
  /** Of the certificate that ends first; undefined: there is none. */
  secondsToExpiry: number | undefined
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
    secondsToExpiry: first === null ? undefined : (first.getTime() - now.getTime()) / 1000,
  }
}

/** The deployment's own certificates one by one, and those of customers together. */
export async function summariseCertificates(db: Db) {
  const own = (await listCertificates(db, ownDomain)).filter(({ wanted }) => wanted)
  const customers = await db
    .selectFrom('certificates')
    .select((from) => [
      from.fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where problem is not null)`.as('failing'),
      sql<Date | null>`min(not_after)`.as('nextEnd'),
    ])
    .where('wanted', '=', true)
    .where('domain', '<>', ownDomain)
    .executeTakeFirstOrThrow()
  return {
    own: own.map(({ names, not_after, problem }) => ({
      name: names[0] ?? '',
      validUntil: not_after?.toISOString() ?? null,
      problem,
    })),
    customers: Number(customers.count),
    failing: Number(customers.failing),
    nextEnd: customers.nextEnd?.toISOString() ?? null,
  }
}
