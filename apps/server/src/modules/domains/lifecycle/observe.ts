/**
 * Observations of a domain: its row, what DNS says where a check is due, and other claims to its name. Writes nothing.
 */
import { DomainVerdict } from '@atoll/contract/domains'
import { z } from 'zod'
import { isServedBy } from '../../dns/index.ts'
import type { DomainDeps, LookupResult } from '../domain-deps.ts'
import { isBound, isFinished, isProven } from '../records/domain-state.ts'
import { type DomainRow, findDomain, findLastCheck, listRivals, type Rival } from '../records/domain-store.ts'
import { wantedOf, wantedPointing } from './awaited.ts'
import type { DomainFacts } from './decide.ts'
import { isFresh, isHidden, type Sight, seeControl, seeRecord } from './proof.ts'

export interface Observation {
  id: string
  row: DomainRow
  facts: DomainFacts
  lookup: LookupResult | undefined
  /** The claims that exclude this one, while it waits for its record. */
  rivals: readonly Rival[]
  /** Whether challenges of its certificates are pointed here; undefined: not looked up, or nobody answered. */
  isAliased: boolean | undefined
}

export async function observe(deps: DomainDeps, row: DomainRow): Promise<Observation> {
  const now = deps.clock.now()
  const isDue = row.next_check_at !== null && row.next_check_at <= now
  const lookup = isDue ? await lookUp(deps, row) : undefined
  const rivals = lookup && row.status === 'WAIT_TXT' ? await listRivals(deps.db, row) : []
  const [rival] = rivals
  const control = lookup && (await findControl(deps, row, lookup))
  const name = row.status === 'BINDING' ? await deps.findNameOf(deps.db, row.userid) : null
  const facts: DomainFacts = {
    now: deps.clock.now(),
    status: row.status,
    method: row.method,
    problem: row.problem,
    problemSince: row.problem_since,
    checksSince: row.checks_since,
    nextCheckAt: row.next_check_at,
    lookup,
    control,
    unseenSince: row.unseen_since,
    hasRival: rival !== undefined,
    mayDisplace: lookup?.passed === true && rival !== undefined && (await isLeft(deps, rival)),
    mayContest: row.contested_at === null && mayAllBeContested(rivals),
    contest: row.contest_until && { until: row.contest_until, claim: await seeClaim(deps, row, now) },
    isNamed: name?.endsWith(`@${row.name}`) === true,
  }
  const isAliased =
    lookup && isBound(row.status) && row.method === 'cname' ? await deps.dns.challenges?.isPointed(row.name) : undefined
  return { id: String(row.number), row, facts, lookup, rivals, isAliased }
}

/**
 * Of a proven claim that is not bound; not while the record was seen a moment ago, nor at the very step to the
 * delegation, which the next check follows.
 */
async function findControl(deps: DomainDeps, row: DomainRow, lookup: LookupResult): Promise<Sight | undefined> {
  if (!isProven(row.status) || isFinished(row.status)) return undefined
  if (
    row.unseen_since === null &&
    (isFresh(row.proven_at, deps.clock.now()) || (row.status === 'WAIT_NS' && lookup.passed))
  )
    return undefined
  // In BINDING the look-up asked our own servers, whose answers prove no control.
  const isOurs = row.status === 'BINDING' && isHidden(row)
  const delegation = isOurs ? await deps.dns.lookUp({ domain: row.name, want: wantedPointing(deps, row) }) : lookup
  return await seeControl(deps, row, delegation)
}

/** A claim that is not bound, and whose own record is gone. */
async function isLeft(deps: DomainDeps, rival: Rival): Promise<boolean> {
  return !isFinished(rival.status) && (await seeRecord(deps, rival)) === 'unseen'
}

/** A part of the name, or what contains it, is its owner's as long as it leads here. */
export function mayBeContested({ status, relation, contest_by, problem }: Rival): boolean {
  return isFinished(status) && contest_by === null && (relation === 'same' || problem === 'delegationLost')
}

/**
 * All are asked at once: one after the other, the lost parts of a former owner would bar the name for a week each. One
 * that somebody else has asked already is waited for, and one that still leads here keeps the name.
 */
function mayAllBeContested(rivals: readonly Rival[]): boolean {
  return rivals.some(mayBeContested) && rivals.every((one) => one.contest_by !== null || mayBeContested(one))
}

/** Whether the claim that a linked domain answers to shows its record, checked once the time is over. */
async function seeClaim(deps: DomainDeps, row: DomainRow, now: Date): Promise<Sight> {
  if (row.contest_by === null || row.contest_until === null || row.contest_until > now) return 'unseen'
  const claim = await findDomain(deps.db, row.contest_by)
  return claim ? await seeRecord(deps, claim) : 'unseen'
}

const notSeen: LookupResult = { passed: false, answered: false, verdicts: [] }

/** False: delegated to name servers that this deployment no longer has; the owner sees `noNameServers`. */
function isAskable({ dns }: DomainDeps, row: DomainRow): boolean {
  return row.status === 'WAIT_TXT' || row.contest_until !== null || row.method === 'cname' || dns.nameServers.length > 0
}

async function lookUp(deps: DomainDeps, row: DomainRow): Promise<LookupResult> {
  const { name: domain, zone_version: version } = row
  const isOurs = row.status === 'BINDING' && row.method === 'ns' && row.contest_until === null
  if (!isOurs || version === null)
    return isAskable(deps, row) ? await deps.dns.lookUp({ domain, want: wantedOf(deps, row) }) : notSeen
  const servers = await deps.dns.seeServed({ domain, version })
  // Only checks were written since the zone was.
  const last = await findLastCheck(deps.db, { ...row, checks_since: row.updated_at })
  const before = new Map(
    z
      .array(DomainVerdict)
      .parse(last?.verdicts ?? [])
      .map((seen) => [seen.server, seen.after]),
  )
  const passedMs = deps.clock.now().getTime() - row.updated_at.getTime()
  const seconds = Math.max(0, Math.round(passedMs / 1000))
  return {
    passed: isServedBy(servers),
    answered: servers.some((one) => one.answered),
    verdicts: servers.map(({ server, isServed, answered }) => ({
      kind: isServed ? 'match' : answered ? 'missing' : 'noAnswer',
      server,
      side: 'ours',
      name: domain,
      type: 'SOA',
      ...(isServed && { after: before.get(server) ?? seconds }),
    })),
  }
}
