/**
 * Moves the clock of an account to where it was sent, through all that is due until then: to each due moment in turn,
 * where what is due runs, and what cards make of it is waited for.
 *
 *   asked ─▶ due now: run · under way: waited for · else the clock moves to the next due moment ─▶ arrived
 *     └─▶ stopped, an hour before a cluster would be destroyed that was not named
 *
 * Writers: the call, and this job alone. Each step is one transaction under the account's lock; killed, it goes on.
 */
import { z } from 'zod'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import { accountNow } from '../../accounts/index.ts'
import {
  endTravel,
  findDestruction,
  findTravel,
  forgetWaits,
  isUnsettled,
  moveClock,
  stopTravel,
} from '../records/travel-store.ts'
import { type DueDeps, type DueRunners, runNextDue } from '../schedule/due-runner.ts'
import { findFirstDueAfter } from '../schedule/due-store.ts'
import { isParked } from '../schedule/parked-accounts.ts'

const travelJob = 'billing.travel'
/** ms. */
const waitMs = 1000
const hourMs = 60 * 60_000

export async function enqueueTravel(trx: Trx, userid: string): Promise<void> {
  await enqueueJob(trx, travelJob, { userid }, { key: `${travelJob}:${userid}` })
}

export function billingTravel(deps: DueDeps, runners: DueRunners): Job {
  const { db, clock } = deps
  return defineJob({
    name: travelJob,
    lane: 'own',
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ userid: z.string() }),
    async run({ userid }, { log, signal }) {
      let step: Step = 'moved'
      while (step === 'moved') {
        if (!(await findTravel(db, userid))) return
        await forgetWaits(db, userid)
        while (!signal.aborted && (await runNextDue(deps, runners, { userid, waits: 'careful', log })));
        signal.throwIfAborted()
        step = await db.transaction().execute((trx) => takeStep(deps, runners, trx, userid))
      }
      if (step === 'over') return
      const runAt = new Date(clock.now().getTime() + waitMs)
      await enqueueJob(db, travelJob, { userid }, { key: `${travelJob}:${userid}`, runAt })
    },
  })
}

type Step = 'moved' | 'waiting' | 'over'

async function takeStep({ accounts, clock }: DueDeps, runners: DueRunners, trx: Trx, userid: string): Promise<Step> {
  const limits = await accounts.lockLimits(trx, userid)
  const wallAt = clock.now()
  const now = accountNow(limits, wallAt)
  const travel = await findTravel(trx, userid)
  if (!travel || travel.stopped_before) return 'over'
  const end = async (stoppedBefore?: string[]): Promise<Step> => {
    await (stoppedBefore ? stopTravel(trx, userid, stoppedBefore) : endTravel(trx, userid))
    await publishChange(trx, { account: userid, topic: 'billing', id: userid })
    return 'over'
  }
  if (await isParked(trx, userid)) return await end([])
  if (await isUnsettled(trx, userid)) return 'waiting'
  if (now >= travel.target) return await end()
  const destruction = await findDestruction(trx, userid, travel.destroy)
  const stopAt = destruction && new Date(destruction.at.getTime() - hourMs)
  if (stopAt && now >= stopAt) return await end(destruction.clusters)
  const due = await findFirstDueAfter(trx, { userid, kinds: Object.keys(runners), after: now })
  const to = new Date(Math.min(...[travel.target, due?.due_at, stopAt].flatMap((at) => (at ? [at.getTime()] : []))))
  await moveClock(trx, { userid, from: now, to, wallAt })
  await publishChange(trx, { account: userid, topic: 'billing', id: userid })
  return 'moved'
}
