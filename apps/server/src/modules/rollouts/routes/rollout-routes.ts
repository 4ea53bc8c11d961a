import { clusterUpdate, clusterUpdatePutOff, mostPutOff, rolloutPause, versionsShow } from '@atoll/contract/rollouts'
import { implement, type Route } from '../../../http/route.ts'
import { currentBuild, describeBuild } from '../../../platform/install.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findOwnCluster } from '../../clusters/index.ts'
import { recordRollout } from '../acts.ts'
import { describeAgents } from '../describe.ts'
import { listComing } from '../rollout-store.ts'
import { dayMs, pauseRollout, putOff, type RolloutDeps } from '../rollouts.ts'

/** Calls about versions, by staff, and about the update of a cluster, by its owner. */
export function rolloutRoutes(deps: RolloutDeps): Route[] {
  const { db, clock, offered, waveMs = dayMs } = deps
  const requireOwn = async (userid: string, clusterId: string) =>
    (await findOwnCluster(db, userid, clusterId)) ?? refuse('notFound', { object: 'cluster' })
  return [
    implement(versionsShow, async () => ({
      programs: [await describeAgents(db, { now: clock.now(), offer: await offered(), waveMs })],
      server: describeBuild(currentBuild()),
    })),
    implement(rolloutPause, async ({ rolloutId, reason }, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        await recordRollout(trx, 'support.rolloutPause', await pauseRollout(deps, trx, rolloutId), { caller, reason })
      })
      return {}
    }),
    implement(clusterUpdate, async ({ clusterId }, { account: { userid } }) => {
      await requireOwn(userid, clusterId)
      const [first] = await listComing(db, clusterId)
      if (!first) return { update: null }
      const { version, not_before, put_off } = first
      return { update: { version, notBefore: not_before?.toISOString() ?? null, left: mostPutOff - put_off } }
    }),
    implement(clusterUpdatePutOff, async (body, { account: caller }) => {
      await requireOwn(caller.userid, body.clusterId)
      return await putOff(deps, body, caller)
    }),
  ]
}
