/**
 * Job domain.reconcile: queries DNS for what a domain's step awaits, and moves it on. `decide.ts` decides; each step
 * is one transaction that is written only while the row is as it was read, so a run that is killed or comes twice
 * changes nothing.
 */
import { findHold } from '../../../platform/careful/index.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import { defineReconciler, defineSweep, type Outcome } from '../../../platform/reconcile/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { newTxtToken } from '../names/txt-record.ts'
import { isBound, nextStatus } from '../records/domain-state.ts'
import {
  type DomainRow,
  findDomain,
  findLastOwner,
  findRival,
  insertCheck,
  listOverdue,
  lockDomain,
  lockProofs,
  type Rival,
  updateDomain,
} from '../records/domain-store.ts'
import { renewZone, zoneOf } from './awaited.ts'
import { beginContest, endContest } from './contest.ts'
import { type DomainStep, decide } from './decide.ts'
import { dailyMs, hourlyMs } from './domain-checks.ts'
import { bySystem, changeDomain, checksFrom } from './domain-events.ts'
import { endClaim, endUse } from './end-claim.ts'
import { mayBeContested, type Observation, observe } from './observe.ts'
import { noteSight, unproven } from './proof.ts'
import { reconcileJob, wakeDomain } from './wake-domain.ts'

/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7005
/** A timer that is late by so much was lost; ms. */
const lateMs = 60_000

/** From a deadline that has to wait to the next look, ms. */
const heldMs = 60_000

export function domainReconcile(deps: DomainDeps): Job {
  const { db, clock } = deps
  return defineReconciler<DomainRow, Observation, DomainStep>({
    name: reconcileJob,
    lane: 'names',
    accountOf: (row) => row.userid,
    waits: 'never',
    lockClass,
    db,
    clock,
    load: (id) => findDomain(db, Number(id)),
    versionOf: (row) => String(row.revision),
    observe: async (row) => [await observe(deps, row)],
    decide: ({ facts }) => decide(facts),
    apply: (row, observation, step) => applyStep(deps, row, observation, step),
  })
}

/** Wakes domains whose timer was lost. */
export function domainSweep({ db, clock }: DomainDeps): Job {
  return defineSweep({
    name: 'domain.sweep',
    lane: 'own',
    waits: 'never',
    reconciler: reconcileJob,
    db,
    clock,
    async listQuiet(now, all) {
      const due = await listOverdue(db, all ? now : new Date(now.getTime() - lateMs))
      return due.map(String)
    },
  })
}

async function applyStep(
  deps: DomainDeps,
  row: DomainRow,
  { lookup, rivals, isAliased, facts: { now, control } }: Observation,
  step: DomainStep,
): Promise<Outcome> {
  if (step.kind === 'rest') return { kind: 'rests' }
  if (step.kind === 'wait') return { kind: 'wait', until: step.until }
  // A domain that is released is somebody else's at once.
  const isLoss = step.kind === 'yield' || step.kind === 'lapse' || step.kind === 'displace'
  if (isLoss && (await findHold(deps.db, { waits: 'deadline' })))
    return { kind: 'wait', until: new Date(now.getTime() + heldMs) }
  const sight = noteSight(row, control, now)
  await deps.db.transaction().execute(async (trx) => {
    // They write two claims, as the end of a claim does; names are locked before rows.
    if (isLoss || step.kind === 'contest' || step.kind === 'keep') await deps.names.lock(trx)
    if (step.kind === 'yield') return await release(deps, trx, row)
    if (step.kind === 'displace') return rivals[0] && (await displace(deps, trx, rivals[0], now))
    if (lookup) await insertCheck(trx, row, lookup, now)
    if (step.kind === 'note') {
      await note(deps, trx, row, step, sight, now)
      if (isAliased !== undefined && isAliased !== row.challenge_alias) await noteAlias(deps, trx, row, isAliased)
      // It leads here again, or in the other way: certificates that waited for that go on.
      if (isBound(row.status) && row.problem !== null && step.problem === null)
        await deps.certificates.wake(trx, row.number)
      return
    }
    if (step.kind === 'lapse') return await lapse(deps, trx, row, now)
    if (step.kind === 'contest') return await beginContest(deps, trx, row, rivals.filter(mayBeContested), now)
    if (step.kind === 'keep') return await endContest(deps, trx, row, { isAnswered: step.isAnswered, now })
    return await move(deps, trx, row, step.event, sight, now)
  })
  return { kind: 'stepped' }
}

/** The owner did not answer in time: the domain is free for the next account that proves it. */
async function release(deps: DomainDeps, trx: Trx, seen: DomainRow): Promise<void> {
  const row = await lockDomain(trx, seen.number)
  if (row?.revision !== seen.revision) return
  await deps.notify(trx, row.userid, { event: 'domainReleased', domain: row.name })
  await endClaim(deps, trx, row, bySystem, 'domain.release')
}

async function note(
  deps: DomainDeps,
  trx: Trx,
  row: DomainRow,
  step: Extract<DomainStep, { kind: 'note' }>,
  sight: ReturnType<typeof noteSight>,
  now: Date,
): Promise<void> {
  const { problem, nextCheckAt } = step
  const changes = {
    ...sight,
    checked_at: now,
    next_check_at: nextCheckAt,
    problem,
    problem_since: problem && (problem === row.problem ? row.problem_since : now),
  }
  const record = { source: bySystem, now }
  if (problem === 'delegationLost' && row.problem !== problem)
    return void (await changeDomain(trx, row, changes, { ...record, action: 'domain.lose' }))
  // Mailed after a day: many domains are moved in less time. An owner who got that mail gets another when it is over.
  const since = row.problem === 'delegationLost' ? row.problem_since : null
  const mailedAt = since && new Date(since.getTime() + dailyMs)
  const wasMailed = mailedAt !== null && row.checked_at !== null && row.checked_at >= mailedAt
  if (since && problem === null) {
    const isRegained = await changeDomain(trx, row, changes, { ...record, action: 'domain.regain' })
    if (isRegained && wasMailed) await deps.notify(trx, row.userid, { event: 'delegationBack', domain: row.name })
    return
  }
  const isWritten = await updateDomain(trx, row, changes)
  if (isWritten && since && mailedAt !== null && mailedAt <= now && !wasMailed)
    await deps.notify(trx, row.userid, { event: 'delegationLost', domain: row.name, since: since.toISOString() })
  await publish(trx, row)
}

/** Its certificates are proven in the other way from now on. */
async function noteAlias(deps: DomainDeps, trx: Trx, seen: DomainRow, isAliased: boolean): Promise<void> {
  const row = await lockDomain(trx, seen.number)
  // This run's own note made the next revision; any other change is handled in the next round.
  if (row?.revision !== seen.revision + 1) return
  if (!(await updateDomain(trx, row, { challenge_alias: isAliased }))) return
  await renewZone(deps, trx, { ...row, challenge_alias: isAliased, revision: row.revision + 1 })
  const challenges = deps.dns.challenges?.zoneOf(row.name)
  if (!isAliased && challenges !== undefined) await deps.dns.removeZone(trx, { domain: challenges })
}

/** A check is published to the owner; it is no change of the domain. */
async function publish(trx: Trx, { userid, number }: DomainRow): Promise<void> {
  await publishChange(trx, { account: userid, topic: 'domain', id: String(number) })
}

/** The claim that keeps another one from the name shows nothing any more, and the other one does. */
async function displace(deps: DomainDeps, trx: Trx, seen: Rival, now: Date): Promise<void> {
  const rival = await lockDomain(trx, seen.number)
  if (rival?.revision === seen.revision) await lapse(deps, trx, rival, now)
}

async function lapse(deps: DomainDeps, trx: Trx, row: DomainRow, now: Date): Promise<void> {
  const isWritten = await changeDomain(
    trx,
    row,
    {
      status: 'WAIT_TXT',
      full_string: null,
      ...unproven,
      contest_until: null,
      contest_by: null,
      txt_token: newTxtToken(),
      ...checksFrom(now),
      problem: 'proofLapsed',
      problem_since: now,
    },
    { source: bySystem, action: 'domain.lapse', now },
  )
  if (!isWritten) return
  await deps.credentials.revoke(trx, row.number)
  await endUse(deps, trx, row, now)
}

const actionOf = {
  proved: 'domain.prove',
  delegated: 'domain.delegate',
  serving: 'domain.serve',
  servingNamed: 'domain.serve',
} as const

async function move(
  deps: DomainDeps,
  trx: Trx,
  row: DomainRow,
  event: Extract<DomainStep, { kind: 'move' }>['event'],
  sight: ReturnType<typeof noteSight>,
  now: Date,
): Promise<void> {
  const status = nextStatus(row.status, event)
  // The table has a cell for what was decided; another status was another revision.
  if (!status) throw new Error(`${event} was decided for a domain at ${row.status}`)
  if (event === 'proved') {
    await lockProofs(trx, row.name)
    // Somebody proved it since it was looked up; the next round sees that.
    if (await findRival(trx, row)) return
    // Names here are reserved for their former holders; another owner of the domain ends that.
    const before = await findLastOwner(trx, row.name)
    if (before !== undefined && before !== row.userid) await deps.names.forget(trx, row.name)
  }
  const nextMs = isBound(status) ? dailyMs : hourlyMs
  const changes = {
    ...sight,
    ...checksFrom(now),
    status,
    checked_at: now,
    ...(event === 'proved' && { proven_at: now }),
    ...(event !== 'proved' && { next_check_at: new Date(now.getTime() + nextMs) }),
  }
  const isOurs = await changeDomain(trx, row, changes, { source: bySystem, action: actionOf[event], now })
  if (isOurs && event === 'proved' && row.method === 'ns')
    await deps.dns.setZone(trx, await zoneOf(deps, trx, row, false))
}
