import { getDomain } from 'tldts'
import type { Db } from '../../../platform/db/index.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import { type CertificateRow, listOwnAwaited } from '../stores/certificate-store.ts'
import { listFailed, listTaken } from '../stores/order-store.ts'
import type { CertificateFacts } from './decide.ts'
import { isByAlias } from './registered.ts'

const hourMs = 60 * 60_000
const weekMs = 7 * 24 * hourMs
/**
 * Limits of authorities (Let's Encrypt's): failures of a name per hour, certificates of a registered domain per week.
 */
const mostFailures = 5
const mostIssued = 50

type Obstacle = CertificateFacts['obstacle']

/** Why no order may be made now; what it waits for lies with others than the authority. */
export async function findObstacle(
  deps: Pick<CertificateDeps, 'db' | 'dns' | 'ca' | 'domains' | 'weeklyShare'>,
  row: CertificateRow,
  now: Date,
): Promise<Obstacle> {
  const failed = await listFailed(deps.db, row.names, new Date(now.getTime() - hourMs))
  const oldest = failed.at(-mostFailures)
  if (oldest) return { problem: 'orderLimit', until: new Date(oldest.getTime() + hourMs) }
  const spent = await findSpentBudget(deps.db, deps, row, now)
  if (spent) return spent
  // Where the zone is ours, what it says is, too.
  const isForbidden =
    (row.challenge === 'http-01' || isByAlias(row)) &&
    (await deps.dns.forbidsIssuer({
      names: row.names,
      method: row.challenge,
      accountUri: await deps.ca?.findAccount(),
    }))
  return isForbidden ? { problem: 'caaForbids' } : undefined
}

/**
 * Whether a new certificate has to wait because enough were got under its registered domain in a week, by all or by its
 * account. Clusters' own hosts come before what visits ask for. Renewals are neither counted nor held back.
 */
export async function findSpentBudget(
  db: Db,
  { domains, weeklyShare }: Pick<CertificateDeps, 'domains' | 'weeklyShare'>,
  row: CertificateRow,
  now: Date,
): Promise<Obstacle> {
  if (row.chain !== null) return undefined
  const registrable = registrableOf(row.domain_name)
  const account = await findAccount(db, domains, row)
  const taken = await listTaken(db, registrable, new Date(now.getTime() - weekMs))
  const awaited = row.visited_cluster === null ? [] : await listOwnAwaited(db, registrable)
  const owners = await Promise.all(awaited.map((own) => findAccount(db, domains, own)))
  const ownTaken = taken.filter((one) => one.account !== null && one.account === account)
  const ownAwaited = owners.filter((owner) => owner === account)
  return (
    waitForRoom(taken, awaited.length, mostIssued) ?? waitForRoom(ownTaken, ownAwaited.length, weeklyShare) ?? undefined
  )
}

export function findAccount(
  db: Db,
  domains: CertificateDeps['domains'],
  { domain, names: [name = ''] }: Pick<CertificateRow, 'domain' | 'names'>,
): Promise<string | undefined> {
  return domains.findAccount(db, domain, name)
}

/** `awaited`: how many come first. Undefined: there is room for one more. */
function waitForRoom(taken: readonly { at: Date }[], awaited: number, most: number): Obstacle {
  if (taken.length + awaited < most) return undefined
  const first = taken.at(-most)
  return { problem: 'orderLimit', until: first && new Date(first.at.getTime() + weekMs) }
}

/** As authorities count: the part that somebody registered, such as `lagoon.example`. */
export function registrableOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
