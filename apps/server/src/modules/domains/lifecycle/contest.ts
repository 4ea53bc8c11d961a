/**
 * A contest: somebody else proves a domain that is linked (design/domains, "Takeover guard"), or, where it
 * no longer leads here, a part of it or a domain that contains it. Its owner has seven days to show the TXT record of
 * the original proof again. If it is seen, the claim is refused, and starts no further contest. If it is not, while the
 * other one's still is, the domain is released, and the waiting claim continues. A claim that ends, or whose record is
 * gone by then, changes nothing. Two rows are written, under the names' lock.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { isFinished } from '../records/domain-state.ts'
import { type DomainRow, lockContestedBy, lockDomain, type Rival, updateDomain } from '../records/domain-store.ts'
import { contestMs, nextCheck } from './domain-checks.ts'
import { bySystem, changeDomain, recordDomain } from './domain-events.ts'
import { wakeDomain } from './wake-domain.ts'

const over = { contest_until: null, contest_by: null } as const
/** Another record is looked up from now on. */
const checkAnew = (now: Date) => ({ checks_since: now, next_check_at: now })

/**
 * Starts a contest between `claim`, whose record is seen, and the linked domains. Does nothing where another contest
 * runs.
 */
export async function beginContest(
  deps: Pick<DomainDeps, 'notify'>,
  trx: Trx,
  claim: DomainRow,
  rivals: readonly Rival[],
  now: Date,
): Promise<void> {
  const asked: DomainRow[] = []
  for (const seen of rivals.toSorted((a, b) => a.number - b.number)) {
    const linked = await lockDomain(trx, seen.number)
    if (linked?.revision === seen.revision && isFinished(linked.status) && linked.contest_until === null)
      asked.push(linked)
  }
  if (asked.length === 0) return
  const checks = { checked_at: now, next_check_at: nextCheck(claim.checks_since, now) ?? null }
  const record = { source: bySystem, now }
  if (!(await changeDomain(trx, claim, { contested_at: now, ...checks }, { ...record, action: 'domain.claim' }))) return
  const until = new Date(now.getTime() + contestMs)
  const contest = { contest_until: until, contest_by: claim.number, ...checkAnew(now) }
  for (const linked of asked) {
    await changeDomain(trx, linked, contest, { ...record, action: 'domain.contest' })
    await deps.notify(trx, linked.userid, { event: 'contested', domain: linked.name, until: until.toISOString() })
    await wakeDomain(trx, linked.number)
  }
}

/** The owner showed the record, or the claim's is gone (`isAnswered` false): then it may ask once more. */
export async function endContest(
  deps: Pick<DomainDeps, 'notify'>,
  trx: Trx,
  linked: DomainRow,
  { isAnswered, now }: { isAnswered: boolean; now: Date },
): Promise<void> {
  const changes = { ...over, ...checkAnew(now), checked_at: now }
  const action = isAnswered ? 'domain.defend' : 'domain.unclaim'
  if (!(await changeDomain(trx, linked, changes, { source: bySystem, action, now }))) return
  await deps.notify(trx, linked.userid, { event: 'contestOver', domain: linked.name })
  const claim = linked.contest_by === null ? undefined : await lockDomain(trx, linked.contest_by)
  if (!claim) return
  if (isAnswered) await recordDomain(trx, bySystem, 'domain.refuse', { before: claim, after: claim })
  else await updateDomain(trx, claim, { contested_at: null })
  await publishChange(trx, { account: claim.userid, topic: 'domain', id: String(claim.number) })
}

/** The claim `number` ended: owners need not answer its contests any more. */
export async function dropContestsBy(
  deps: Pick<DomainDeps, 'notify'>,
  trx: Trx,
  number: number,
  now: Date,
): Promise<void> {
  for (const linked of await lockContestedBy(trx, number)) {
    await changeDomain(trx, linked, { ...over, ...checkAnew(now) }, { source: bySystem, action: 'domain.unclaim', now })
    await deps.notify(trx, linked.userid, { event: 'contestOver', domain: linked.name })
    await wakeDomain(trx, linked.number)
  }
}
