/**
 * Suspensions, brought to be so each minute and when one changes; safe to repeat and to be killed anywhere:
 *   ended      one whose time has come is released
 *   stopped    what runs under `servers` is noted, then stopped; what was on its way is stopped once it runs
 *   started    what a released one stopped is started, unless another holds it or somebody destroyed it, then forgotten
 * A cluster's own status machine does both; it refuses every start meanwhile.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findHeldScope, findUserid, listLivingHolds, listOverdueHolds, lockHold } from '../../accounts/index.ts'
import { type Clusters, listClusterFigures } from '../../clusters/index.ts'
import { forgetStop, listStops, noteStop } from '../stores/hold-stop-store.ts'
import { endHold, holdsJob } from './hold-change.ts'

export interface HoldDeps {
  db: Db
  clock: Clock
  clusters: Pick<Clusters, 'setPower' | 'findOwner'>
}

export function holdsEnforce(deps: HoldDeps): Job {
  return defineTimedJob({
    name: holdsJob,
    lane: 'own',
    waits: 'careful',
    cron: '* * * * *',
    async run() {
      await enforceHolds(deps)
    },
  })
}

export async function enforceHolds({ db, clock, clusters }: HoldDeps): Promise<void> {
  for (const { id } of await listOverdueHolds(db, clock.now())) {
    await db.transaction().execute(async (trx) => {
      const hold = await lockHold(trx, id)
      const change = { source: { actor: 'system', ip: null }, now: clock.now(), facts: {} } as const
      if (hold) await endHold(trx, hold, change)
    })
  }
  const living = await listLivingHolds(db, 'servers')
  for (const hold of living) {
    const owner = await findUserid(db, hold.account_id)
    const own = owner === undefined ? [] : await listClusterFigures(db, owner)
    const running = own.filter(
      ({ clusterId, clusterType, status }) =>
        clusterType === 'Cloud' && status === 'running' && (hold.cluster_id ?? clusterId) === clusterId,
    )
    for (const { clusterId } of running) {
      await noteStop(db, { hold_id: hold.id, cluster_id: clusterId })
      await unlessRefused(() => clusters.setPower({ owner: owner ?? '', clusterId, action: 'stop' }))
    }
  }
  const holding = new Set(living.map(({ id }) => id))
  for (const stop of await listStops(db)) {
    if (holding.has(stop.hold_id)) continue
    const owner = await clusters.findOwner(db, stop.cluster_id)
    if (owner !== undefined && (await findHeldScope(db, owner, stop.cluster_id)) !== 'servers')
      await unlessRefused(() => clusters.setPower({ owner, clusterId: stop.cluster_id, action: 'start' }))
    await forgetStop(db, stop)
  }
}

/** What is refused is there already, moves, or is gone: the next run sees which. */
async function unlessRefused(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
