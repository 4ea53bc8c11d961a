/**
 * Rollouts of agents: staff or the operator's command begin, pause, continue and take them back; a job carries them out
 * each minute, and whenever an agent answers. `decide.ts` says what comes next. Every writer locks the rollout's row.
 */
import { taskKinds, updateTrialMs } from '@atoll/contract/agents'
import { type clusterUpdatePutOff, mostPutOff, putOffMs, type RolloutKind } from '@atoll/contract/rollouts'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { once } from '../../platform/requests/index.ts'
import { type Agents, type AgentTask, listPrograms, type OfferedAgent } from '../agents/index.ts'
import { recordAudit } from '../audit/index.ts'
import { listLivingInstances } from '../clusters/index.ts'
import { assignWaves, decideRollout, type Facts, type Step, type Target } from './decide.ts'
import {
  findByTask,
  insertRollout,
  listComing,
  listTargets,
  listWithdrawn,
  lockOpenRollout,
  lockRollout,
  noteRelease,
  type RolloutRow,
  updateRollout,
  updateTargets,
} from './rollout-store.ts'

export interface RolloutDeps {
  db: Db
  clock: Clock
  agents: Pick<Agents, 'requestTask' | 'listTasks' | 'cancelUnsent'>
  /** The release that this server offers its agents now. */
  offered(): Promise<OfferedAgent | undefined>
  /** How long a wave is without a fault before the next begins; default: a day. ms */
  waveMs?: number
  /** How long a new version has to report; default: as the contract says. ms */
  trialMs?: number
}

export const rolloutJob = 'rollout.advance'
export const dayMs = 24 * 60 * 60 * 1000

async function wake(trx: Db | Trx): Promise<void> {
  await enqueueJob(trx, rolloutJob, {}, { key: rolloutJob })
}

/** Begins a rollout of what this server offers; an older one that is still open ends. Answers its id. */
export async function startRollout(
  { clock, offered }: Pick<RolloutDeps, 'clock' | 'offered'>,
  trx: Trx,
  { kind, version }: { kind: RolloutKind; version: string },
): Promise<string> {
  const offer = await offered()
  if (offer?.version !== version) refuse('versionNotOffered')
  if (offer.signature === undefined) refuse('releaseNotSigned')
  const now = clock.now()
  const open = await lockOpenRollout(trx, kind)
  if (open?.version === version && open.state !== 'back') refuse('rolloutOpen')
  if (open) await updateRollout(trx, open.id, { state: 'ended', ended_at: now })
  const id = newId('ro')
  const instances = await listLivingInstances(trx)
  const clustersOf = (isOwn: boolean) => [
    ...new Set(instances.filter((one) => one.isOwn === isOwn).map(({ clusterId }) => clusterId)),
  ]
  // In an order that is another for each rollout: not always the same customers come first.
  const others = clustersOf(false).toSorted((a, b) => (sha256Hex(id + a) < sha256Hex(id + b) ? -1 : 1))
  const waves = assignWaves(clustersOf(true), others)
  const targets = instances.map(({ instanceId, clusterId }) => ({
    instanceId,
    clusterId,
    wave: waves.get(clusterId) ?? 0,
  }))
  await insertRollout(trx, { id, kind, version, now }, targets)
  await wake(trx)
  return id
}

async function getOpen(trx: Trx, id: string): Promise<RolloutRow> {
  const rollout = await lockRollout(trx, id)
  if (!rollout || rollout.state === 'ended') refuse('notFound', { object: 'rollout' })
  return rollout
}

export async function pauseRollout({ clock }: Pick<RolloutDeps, 'clock'>, trx: Trx, id: string): Promise<RolloutRow> {
  const rollout = await getOpen(trx, id)
  if (rollout.state !== 'running') refuse('rolloutNotRunning')
  await updateRollout(trx, id, { state: 'paused', paused_at: clock.now(), paused_because: 'operator' })
  return rollout
}

/** Those that failed are asked again. */
export async function continueRollout(
  { clock }: Pick<RolloutDeps, 'clock'>,
  trx: Trx,
  id: string,
): Promise<RolloutRow> {
  const rollout = await getOpen(trx, id)
  if (rollout.state !== 'paused') refuse('rolloutNotPaused')
  const failed = (await listTargets(trx, id)).filter(({ state }) => state === 'failed')
  const instanceIds = failed.map(({ instance_id }) => instance_id)
  await updateTargets(trx, { rolloutId: id, instanceIds, now: clock.now() }, { state: 'waiting', reason: null })
  await updateRollout(trx, id, { state: 'running', paused_at: null, paused_because: null })
  await wake(trx)
  return rollout
}

export async function takeBackRollout(trx: Trx, id: string): Promise<RolloutRow> {
  const rollout = await getOpen(trx, id)
  await updateRollout(trx, id, { state: 'back', paused_at: null, paused_because: null })
  await wake(trx)
  return rollout
}

/** An owner puts the update of a cluster off for a week, twice at most. */
export async function putOff(
  deps: Pick<RolloutDeps, 'db' | 'clock'>,
  body: CallBody<typeof clusterUpdatePutOff>,
  caller: Caller,
): Promise<Record<string, never>> {
  const request = { owner: caller.userid, call: 'clusterUpdatePutOff', body }
  return await once(deps, request, async (trx) => {
    await putOffOnce(deps, trx, { clusterId: body.clusterId, caller })
    return {}
  })
}

async function putOffOnce(
  { clock }: Pick<RolloutDeps, 'clock'>,
  trx: Trx,
  { clusterId, caller }: { clusterId: string; caller: Caller },
): Promise<void> {
  const open = await lockOpenRollout(trx, 'agent')
  const coming = open ? await listComing(trx, clusterId) : []
  const [most] = coming
  if (!open || !most) refuse('notFound', { object: 'update' })
  if (most.put_off >= mostPutOff) refuse('putOffTwice')
  const now = clock.now()
  const from = Math.max(now.getTime(), most.not_before?.getTime() ?? 0)
  const instanceIds = coming.map(({ instance_id }) => instance_id)
  const change = { not_before: new Date(from + putOffMs), put_off: most.put_off + 1 }
  await updateTargets(trx, { rolloutId: open.id, instanceIds, now }, change)
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action: 'cluster.putOffUpdate',
    object: { kind: 'cluster', id: clusterId, owner: caller.userid },
    after: { version: open.version },
  })
  await publishChange(trx, { account: caller.userid, topic: 'cluster', id: clusterId })
}

/** An agent's answer: in the transaction that records it. */
export async function noteAnswer({ clock }: Pick<RolloutDeps, 'clock'>, trx: Trx, task: AgentTask): Promise<void> {
  const isBack = task.kind === taskKinds.updateBack.kind
  if (!isBack && task.kind !== taskKinds.update.kind) return
  if (task.state !== 'done' && task.state !== 'failed' && task.state !== 'canceled') return
  const found = await findByTask(trx, task.id)
  const rollout = found && (await lockRollout(trx, found.rolloutId))
  if (!found || !rollout) return
  const { rolloutId, instanceId } = found
  const now = clock.now()
  const done = isBack ? 'returned' : 'updated'
  const state = task.state === 'done' ? done : task.state === 'failed' ? 'failed' : isBack ? 'updated' : 'waiting'
  await updateTargets(trx, { rolloutId, instanceIds: [instanceId], now }, { state, task_id: null, reason: task.reason })
  if (state === 'failed') await updateRollout(trx, rolloutId, { fault_at: now })
  await wake(trx)
}

/** Carries out what is decided, until nothing more is. */
export async function advanceRollouts(deps: RolloutDeps): Promise<void> {
  const { db, clock, offered, waveMs = dayMs } = deps
  const offer = await offered()
  if (offer) {
    const release = { kind: 'agent', version: offer.version, released_at: new Date(offer.at * 1000) } as const
    await noteRelease(db, release)
  }
  await cancelWithdrawn(deps)
  for (let isMoving = true; isMoving; ) {
    isMoving = await db.transaction().execute(async (trx) => {
      const rollout = await lockOpenRollout(trx, 'agent')
      if (!rollout) return false
      const facts = await readFacts(trx, rollout, offer)
      const steps = decideRollout(facts, { now: clock.now(), waveMs })
      for (const step of steps) await carryOut(deps, trx, { rollout, offer, step })
      return steps.some((step) => step.do === 'nextWave')
    })
  }
}

/**
 * Cancels the tasks of rollouts that were taken back or replaced, as long as they were not sent. A task that was sent
 * may have begun: it goes on, and its answer counts. Each in its own transaction, as one that stores an answer locks
 * the task before the rollout, too.
 */
async function cancelWithdrawn(deps: RolloutDeps): Promise<void> {
  const { db, agents } = deps
  const withdrawn = await listWithdrawn(db)
  const over = new Set(withdrawn.flatMap(({ taskId, isOver }) => (isOver ? taskId : [])))
  const tasks = await agents.listTasks(
    db,
    withdrawn.map(({ taskId }) => taskId),
  )
  for (const { id, kind, state } of tasks) {
    if (state !== 'waiting' || (kind === taskKinds.updateBack.kind && !over.has(id))) continue
    await db.transaction().execute(async (trx) => {
      const canceled = await agents.cancelUnsent(trx, id)
      if (canceled) await noteAnswer(deps, trx, canceled)
    })
  }
}

/** Targets whose instances are gone are none. */
export async function readFacts(db: Db, rollout: RolloutRow, offer: OfferedAgent | undefined): Promise<Facts> {
  const programs = new Map((await listPrograms(db)).map((program) => [program.instanceId, program]))
  const targets = (await listTargets(db, rollout.id)).flatMap((row): Target[] => {
    const agent = programs.get(row.instance_id)
    if (!agent) return []
    const { instance_id: instanceId, cluster_id: clusterId, wave, state, not_before: notBefore } = row
    const changedAt = row.changed_at
    const { isConnected, seenAt, version: runs, program } = agent
    return [
      {
        instanceId,
        clusterId,
        wave,
        state,
        notBefore,
        changedAt,
        isConnected,
        seenAt,
        runs,
        mayUpdate: program?.hasKey ?? false,
      },
    ]
  })
  const { version, state, wave, wave_at: waveAt, fault_at: faultAt } = rollout
  const isOffered = offer?.version === version && offer.signature !== undefined
  return { version, state, wave, waveAt, faultAt, isOffered, targets }
}

async function carryOut(
  { clock, agents, trialMs = updateTrialMs }: RolloutDeps,
  trx: Trx,
  { rollout: { id, version, wave }, offer, step }: { rollout: RolloutRow; offer: OfferedAgent | undefined; step: Step },
): Promise<void> {
  const now = clock.now()
  const targets = (instanceIds: readonly string[]) => ({ rolloutId: id, instanceIds, now })
  switch (step.do) {
    case 'settle':
      return await updateTargets(trx, targets(step.instanceIds), { state: 'updated' })
    case 'ask':
    case 'askBack':
      for (const instanceId of step.instanceIds) {
        const asked = { taskId: newId('at'), instanceId }
        let open: string | undefined
        if (step.do === 'askBack') {
          open = await agents.requestTask(trx, taskKinds.updateBack, { ...asked, params: { version } })
        } else if (offer?.signature !== undefined) {
          const params = { ...offer, signature: offer.signature, withinMs: trialMs }
          open = await agents.requestTask(trx, taskKinds.update, { ...asked, params })
        }
        // An earlier rollout may have asked for the same already: what its task answers is this one's answer.
        if (open !== undefined)
          await updateTargets(trx, targets([instanceId]), { state: 'asked', task_id: open, reason: null })
      }
      return
    case 'pause':
      return await updateRollout(trx, id, { state: 'paused', paused_at: now, paused_because: step.why })
    case 'nextWave':
      return await updateRollout(trx, id, { wave: wave + 1, wave_at: now, fault_at: null })
    case 'end':
      return await updateRollout(trx, id, { state: 'ended', ended_at: now })
  }
}
