/** Job certificate.ensure: does what `decide.ts` says, one certificate at a time. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import type { HttpsProblem } from '@atoll/contract/domains'
import { backoffMs } from '@atoll/contract/wire'
import { findHold } from '../../../platform/careful/index.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { defineReconciler, defineSweep, enqueueReconcile, type Outcome } from '../../../platform/reconcile/index.ts'
import { type Ca, type CaOrder, isCaFault } from '../acme/ca.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import {
  type CertificateChanges,
  type CertificateRow,
  deleteCertificates,
  findCertificate,
  listDue,
  notifyEdges,
  updateCertificate,
} from '../stores/certificate-store.ts'
import {
  deleteOldOrders,
  endOrder,
  insertChallenges,
  insertOrder,
  lockBudget,
  type OrderRow,
  setZoneVersion,
} from '../stores/order-store.ts'
import { type CertificateFacts, type CertificateStep, decide } from './decide.ts'
import { findFault } from './find-fault.ts'
import { findAccount, findSpentBudget, registrableOf } from './find-obstacle.ts'
import { longestWait } from './longest-wait.ts'
import { type Observation, observe } from './observe.ts'
import type { Renewal } from './renewal.ts'

const ensureJob = 'certificate.ensure'
/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7007
/** A timer that is late by so much was lost; ms. */
const lateMs = 60_000
/** Delays before a failed step is retried. */
const backoff = { firstMs: 60_000, longestMs: 12 * 60 * 60_000 }
/** From a removal that has to wait to the next look, ms. */
const heldMs = 60_000
/** Orders are kept for the limits of a week, and a while longer for investigations. ms */
const ordersKeptMs = 30 * 24 * 60 * 60_000

export async function wakeCertificate(trx: Trx, id: string): Promise<void> {
  await enqueueReconcile(trx, ensureJob, id)
}

export function certificateEnsure(deps: CertificateDeps & { ca: Ca }): Job {
  const { db, clock } = deps
  return defineReconciler<CertificateRow, Observation, CertificateStep>({
    name: ensureJob,
    lane: 'names',
    accountOf: (row) => findAccount(db, deps.domains, row),
    waits: 'careful',
    lockClass,
    db,
    clock,
    load: (id) => findCertificate(db, id),
    versionOf: (row) => String(row.revision),
    observe: async (row) => [await observe(deps, row)],
    decide: ({ facts }) => decide(facts),
    apply: (row, observation, step) => applyStep(deps, row, observation, step),
  })
}

/** Wakes certificates whose timer was lost. */
export function certificateSweep({ db, clock }: CertificateDeps): Job {
  return defineSweep({
    name: 'certificate.sweep',
    lane: 'own',
    waits: 'careful',
    reconciler: ensureJob,
    db,
    clock,
    listQuiet: (now, all) => listDue(db, all ? now : new Date(now.getTime() - lateMs)),
  })
}

export function ordersPrune({ db, clock }: CertificateDeps): Job {
  return defineTimedJob({
    name: 'certificate.prune',
    lane: 'own',
    waits: 'deadline',
    cron: '17 4 * * *',
    run: () => deleteOldOrders(db, new Date(clock.now().getTime() - ordersKeptMs)),
  })
}

async function applyStep(
  deps: CertificateDeps & { ca: Ca },
  row: CertificateRow,
  { order, seen, renewal, facts }: Observation,
  step: CertificateStep,
): Promise<Outcome> {
  const { ca } = deps
  const { now } = facts
  if (step.kind === 'rest') return { kind: 'rests' }
  if (step.kind === 'wait') return { kind: 'wait', until: step.until }
  if (step.kind === 'drop') return await drop(deps, row, facts)
  if (step.kind === 'plan') return await plan(deps, row, renewal, step.until)
  if (step.kind === 'pause' || step.kind === 'fail') return await note(deps, row, order, step, now)
  try {
    if (step.kind === 'order') return await placeOrder(deps, row, now)
    if (!order) throw new Error(`${step.kind} was decided without an order`)
    if (step.kind === 'publish') return await publish(deps, row, order, seen)
    if (step.kind === 'answer') {
      for (const url of step.urls) await ca.answer(url)
      return { kind: 'wait', until: new Date(deps.clock.now().getTime() + 500) }
    }
    if (step.kind === 'finalize') {
      await ca.finalize(order.url, row.names, deps.sealer.open('certificate key', order.sealed_key))
      return { kind: 'stepped' }
    }
    return await store(deps, row, order, await ca.download(order.url))
  } catch (error) {
    if (!isCaFault(error)) throw error
    const until = error.retryAfterMs === undefined ? undefined : new Date(now.getTime() + error.retryAfterMs)
    const isOver = error.kind !== 'caUnreachable' && error.kind !== 'caLimited'
    const problem = error.kind === 'orderGone' ? 'caRefused' : error.kind
    const noted = { kind: isOver ? 'fail' : 'pause', problem, detail: error.message, until } as const
    return await note(deps, row, order, noted, now)
  }
}

/**
 * Address and key are in a row before the authority is asked to issue; killed before, there is an order nobody uses.
 */
async function placeOrder(deps: CertificateDeps & { ca: Ca }, row: CertificateRow, now: Date): Promise<Outcome> {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const url = await deps.ca.order(row.names, row.chain ?? undefined)
  const spent = await deps.db.transaction().execute(async (trx) => {
    // Others may have ordered meanwhile: one at a time is counted and written down.
    await lockBudget(trx, registrableOf(row.domain_name))
    const found = await findSpentBudget(trx, deps, row, now)
    if (found || !(await updateCertificate(trx, row, {}))) return found
    const account = (await findAccount(trx, deps.domains, row)) ?? null
    await insertOrder(trx, {
      ...orderFacts(row, now),
      account,
      url,
      sealed_key: deps.sealer.seal('certificate key', privateKey),
    })
    return undefined
  })
  return spent ? await note(deps, row, undefined, { kind: 'pause', ...spent }, now) : { kind: 'stepped' }
}

function orderFacts(row: CertificateRow, now: Date) {
  return {
    id: newId('ao'),
    certificate: row.id,
    names: row.names,
    registrable: registrableOf(row.domain_name),
    is_renewal: row.chain !== null,
    state: 'open' as const,
    created_at: now,
  }
}

async function publish(
  deps: CertificateDeps,
  row: CertificateRow,
  order: OrderRow,
  seen: CaOrder | undefined,
): Promise<Outcome> {
  const rows = (seen?.authorizations ?? []).flatMap(({ host, status, challenge }) =>
    challenge && status === 'pending'
      ? [
          {
            acme_order: order.id,
            host,
            kind: row.challenge,
            token: challenge.token,
            answer: challenge.answer,
            domain_name: row.domain_name,
          },
        ]
      : [],
  )
  await deps.db.transaction().execute(async (trx) => {
    const rewritten = await deps.domains.rewrite(trx, row.domain, async () => {
      await insertChallenges(trx, rows)
      await updateCertificate(trx, row, {})
    })
    if (rewritten) await setZoneVersion(trx, order.id, rewritten.zoneVersion)
  })
  return { kind: 'stepped' }
}

async function store(deps: CertificateDeps, row: CertificateRow, order: OrderRow, chain: string): Promise<Outcome> {
  const leaf = new X509Certificate(chain)
  const key = deps.sealer.open('certificate key', order.sealed_key)
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error(`The certificate of ${row.names.join(', ')} is for another key`)
  const [notBefore, notAfter] = [leaf.validFromDate, leaf.validToDate]
  const at = deps.clock.now()
  const changes: CertificateChanges = {
    chain,
    // Sealed again: the order may have been read before the deployment was given another secret key.
    sealed_key: deps.sealer.seal('certificate key', key),
    not_before: notBefore,
    not_after: notAfter,
    ...noProblem,
    ...unmailed,
    failures: 0,
    // When to renew it is asked at once.
    next_try_at: at,
    renew_at: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await deps.domains.rewrite(trx, row.domain, async () => {
      if (!(await updateCertificate(trx, row, changes))) return
      await endOrder(trx, row.id, { state: 'issued', problem: null, at })
      await notifyEdges(trx, row.names)
    })
  })
  return { kind: 'stepped' }
}

const noProblem = { problem: null, problem_detail: null, problem_since: null, problem_fault: null } as const
const unmailed = { failing_mailed_at: null, ending_mailed_at: null } as const

async function note(
  deps: CertificateDeps,
  row: CertificateRow,
  order: OrderRow | undefined,
  step: { kind: 'pause' | 'fail'; problem: HttpsProblem; detail?: string | undefined; until?: Date | undefined },
  now: Date,
): Promise<Outcome> {
  const failures = row.failures + 1
  // Never all at once, never sooner than half the wait.
  const longestMs = longestWait(row, step, { now, usualMs: backoff.longestMs })
  const waitMs = backoffMs(failures, { ...backoff, longestMs }, () => 0.5 + Math.random() / 2)
  const fault = await findFault(deps, row, step.problem, order?.zone_version ?? null)
  const next = new Date(Math.max(now.getTime() + waitMs, step.until?.getTime() ?? 0))
  const changes: CertificateChanges = {
    failures,
    next_try_at: next,
    problem: step.problem,
    problem_detail: step.detail ?? null,
    problem_since: row.problem_since ?? now,
    problem_fault: fault,
  }
  await deps.db.transaction().execute(async (trx) => {
    await deps.domains.rewrite(trx, row.domain, async () => {
      if (!(await updateCertificate(trx, row, changes))) return
      // One that the authority refused at once counts as the others do.
      if (step.kind === 'fail' && !order) await insertOrder(trx, { ...orderFacts(row, now), url: '', sealed_key: '' })
      if (step.kind === 'fail') await endOrder(trx, row.id, { state: 'failed', problem: step.problem, at: now })
    })
  })
  return { kind: 'stepped' }
}

/** It is well until it is renewed: what was wrong with an earlier try is over. */
async function plan(
  deps: CertificateDeps,
  row: CertificateRow,
  renewal: Renewal | undefined,
  until: Date,
): Promise<Outcome> {
  const changes = { ...noProblem, ...unmailed, failures: 0, renew_at: renewal?.chosen ?? null, next_try_at: until }
  await deps.db.transaction().execute((trx) => updateCertificate(trx, row, changes))
  return { kind: 'stepped' }
}

/** Of one that was served only the clock says that its time is over. */
async function drop({ db }: CertificateDeps, row: CertificateRow, { served, now }: CertificateFacts): Promise<Outcome> {
  if (served && (await findHold(db, { waits: 'deadline' })))
    return { kind: 'wait', until: new Date(now.getTime() + heldMs) }
  await db.transaction().execute(async (trx) => notifyEdges(trx, await deleteCertificates(trx, { id: row.id })))
  return { kind: 'rests' }
}
