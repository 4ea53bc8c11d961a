/**
 * A level-driven reconciler: for one subject at a time it reads the rows, observes the world, decides a step for each
 * of the subject's items and applies it, until nothing is left to do now. Then it sets a timer or rests.
 *
 * Owns     the lock (one run per subject in all processes), rounds, timers, and the second check after a run.
 * Writers  only `apply` and `rested` write. `observe` and `decide` write nothing; `decide` is pure.
 * Repeats  a run that is killed is repeated from its start: it reads everything again. A change of the rows during a
 *          run increases the version, and the process that releases the lock compares it once more. A change of the
 *          outside world is in no row: a job that finds its subject locked asks for another run.
 */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/index.ts'
import { defineJob, enqueueJob, type Job, type JobLane, type JobWaits } from '../jobs/index.ts'
import type { Log } from '../log.ts'
import { createReconcileLocks } from './reconcile-locks.ts'

/** A run ends after so many rounds and asks for another, so that one subject cannot hold a worker. */
const longestRun = 60
const pauseMs = 100
/** From a run that found somebody else at it to the next one. ms */
const againMs = 500

/**
 * The outcome of one item's step. `call`: the outside call that it made, passed to the item's next step in this run.
 */
export type Outcome = (
  | { kind: 'stepped' }
  /** Nothing to do before then; the item is left alone until that moment. */
  | { kind: 'wait'; until: Date }
  /** Where it should be; only a change brings it back. */
  | { kind: 'rests' }
) & { call?: string }

export interface ItemContext {
  log: Log
  /** The call of this item's step before, when that was one: asked for again at once, the world has not acted yet. */
  previousCall: string | undefined
}

interface Spec<Snapshot, Observation extends { id: string }, Step> extends JobWaits {
  /** Of the job, `noun.reconcile`. */
  name: string
  /** First half of the advisory lock; one per reconciler (platform/reconcile/reconcile-locks.ts lists them). */
  lockClass: number
  db: Db
  clock: Clock
  load(id: string): Promise<Snapshot | undefined>
  /** Nothing of it is reconciled any more; without, that never is. */
  isEnded?(snapshot: Snapshot): boolean
  /** Differs when something was written that a decision may depend on. */
  versionOf(snapshot: Snapshot): string
  /** The world around each item, as it is now. */
  observe(snapshot: Snapshot, log: Log): Promise<Observation[]>
  decide(observation: Observation): Step
  apply(snapshot: Snapshot, observation: Observation, step: Step, context: ItemContext): Promise<Outcome>
  /** A round in which no item took a step. */
  rested?(snapshot: Snapshot): Promise<void>
}

/** Where its lane is one of strangers, `accountOf` says whose a subject is. */
export type ReconcilerSpec<Snapshot, Observation extends { id: string }, Step> = Spec<Snapshot, Observation, Step> &
  JobLane<Snapshot>

/** The job that reconciles; its payload names the subject. */
export function defineReconciler<Snapshot, Observation extends { id: string }, Step>(
  spec: ReconcilerSpec<Snapshot, Observation, Step>,
): Job {
  const { name, db, clock } = spec
  const tryRun = createReconcileLocks(db, spec.lockClass)
  const versionOf = (snapshot: Snapshot | undefined) => snapshot && spec.versionOf(snapshot)
  const after = (ms: number) => new Date(clock.now().getTime() + ms)

  /** Applies steps until there is nothing to do now; gives the version of the rows that this was decided from. */
  async function run(id: string, log: Log, signal: AbortSignal): Promise<string | undefined> {
    const memories = new Map<string, { until?: Date; call?: string }>()
    let version: string | undefined
    for (let round = 0; round < longestRun && !signal.aborted; round += 1) {
      const snapshot = await spec.load(id)
      version = versionOf(snapshot)
      if (!snapshot || spec.isEnded?.(snapshot)) return version
      const observations = await spec.observe(snapshot, log)
      const outcomes = await Promise.all(
        observations.map(async (observation): Promise<Outcome> => {
          const memory = memories.get(observation.id)
          if (memory?.until && memory.until > clock.now()) return { kind: 'wait', until: memory.until }
          const step = spec.decide(observation)
          log.debug({ item: observation.id, step }, 'a step was decided')
          const outcome = await spec.apply(snapshot, observation, step, { log, previousCall: memory?.call })
          memories.set(observation.id, {
            ...(outcome.kind === 'wait' && { until: outcome.until }),
            ...(outcome.call !== undefined && { call: outcome.call }),
          })
          return outcome
        }),
      )
      if (outcomes.some(({ kind }) => kind === 'stepped')) continue
      await spec.rested?.(snapshot)
      const times = outcomes.flatMap((outcome) => (outcome.kind === 'wait' ? [outcome.until.getTime()] : []))
      if (times.length > 0) await enqueueReconcile(db, name, id, new Date(Math.min(...times)))
      return version
    }
    await enqueueReconcile(db, name, id, after(pauseMs))
    return version
  }

  return defineJob({
    name,
    ...laneOf(spec),
    waits: spec.waits,
    ...(spec.source && { source: spec.source }),
    payload: z.object({ id: z.string() }),
    async run({ id }, { log, signal }) {
      let seen: string | undefined
      do {
        const ran = await tryRun(id, async () => {
          seen = await run(id, log.child({ subject: id }), signal)
        })
        if (!ran) return await enqueueAgain(db, name, id, after(againMs))
      } while (!signal.aborted && seen !== versionOf(await spec.load(id)))
    },
  })
}

function laneOf<Snapshot>(
  spec: JobLane<Snapshot> & { load(id: string): Promise<Snapshot | undefined> },
): JobLane<{ id: string }> {
  if (spec.lane === 'own') return { lane: 'own' }
  return {
    lane: spec.lane,
    async accountOf({ id }) {
      const snapshot = await spec.load(id)
      return snapshot && (await spec.accountOf(snapshot))
    },
  }
}

/**
 * Has a subject reconciled, now or at `runAt`. The timer has a key of its own: setting it must not put off a run that
 * is due now.
 */
export async function enqueueReconcile(db: Db | Trx, name: string, id: string, runAt?: Date): Promise<void> {
  const key = runAt ? `${name}:${id}:timer` : `${name}:${id}`
  await enqueueJob(db, name, { id }, { key, ...(runAt && { runAt }) })
}

/** Has a subject that is being reconciled reconciled once more, at `runAt`; a run that is due sooner stays due. */
async function enqueueAgain(db: Db, name: string, id: string, runAt: Date): Promise<void> {
  await enqueueJob(db, name, { id }, { key: `${name}:${id}`, keyMode: 'preserve_run_at', runAt })
}
