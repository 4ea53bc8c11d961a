/**
 * Applies suspensions, each minute and when one changes; safe to repeat and to be killed anywhere:
 *   ended      one whose time has come is released
 *   stopped    a running cluster under `servers` is noted, then stopped; one in transition is stopped once it runs
 *   started    a cluster that a released suspension stopped is started once it has stopped and no other suspends it;
 *              forgotten when it runs or is gone
 * A cluster's own status machine stops and starts it; it refuses every other start meanwhile. A step that it refuses
 * here is retried by the next run.
 */
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findHeldScope, holdsJob, listLivingHolds, listOverdueHolds, lockHold } from '../../accounts/index.ts'
import { type Clusters, listClusterFigures } from '../../clusters/index.ts'
import { forgetStop, listStops, noteStop } from '../stores/hold-stop-store.ts'
import { endHold } from './hold-change.ts'

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

/** Throws an `AggregateError` of what failed, after everything else was enforced. */
export async function enforceHolds({ db, clock, clusters }: HoldDeps): Promise<void> {
  const failures: unknown[] = []
  /** A cluster that fails keeps no other from being stopped or started. */
  const apart = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      failures.push(error)
    }
  }
  for (const { id } of await listOverdueHolds(db, clock.now())) {
    await apart(() =>
      db.transaction().execute(async (trx) => {
        const hold = await lockHold(trx, id)
        const change = { source: { actor: 'system', ip: null }, now: clock.now(), facts: {} } as const
        if (hold) await endHold(trx, hold, change)
      }),
    )
  }
  const living = await listLivingHolds(db, 'servers')
  for (const hold of living) {
    const { account_id: owner } = hold
    const own = await listClusterFigures(db, owner)
    const running = own.filter(
      ({ clusterId, clusterType, status }) =>
        clusterType === 'Cloud' && runningStatuses.has(status) && (hold.cluster_id ?? clusterId) === clusterId,
    )
    for (const { clusterId } of running) {
      await apart(async () => {
        const stop = { hold_id: hold.id, cluster_id: clusterId }
        const isNew = await noteStop(db, stop)
        const isStopped = await isAllowed(() => clusters.setPower({ owner, clusterId, action: 'stop' }))
        // Somebody else was faster, and what they stopped is not for us to start; or it moves, and is stopped later.
        if (isNew && !isStopped) await forgetStop(db, stop)
      })
    }
  }
  for (const stop of await listStops(db, { ofOthersThan: living.map(({ id }) => id) })) {
    await apart(async () => {
      const { cluster_id: clusterId } = stop
      const owner = await clusters.findOwner(db, clusterId)
      const own = owner === undefined ? [] : await listClusterFigures(db, owner)
      const status = own.find((cluster) => cluster.clusterId === clusterId)?.status
      if (owner === undefined || status === undefined || startedStatuses.has(status)) await forgetStop(db, stop)
      else if (status === 'stopped' && (await findHeldScope(db, owner, clusterId)) !== 'servers') {
        if (await isAllowed(() => clusters.setPower({ owner, clusterId, action: 'start' }))) await forgetStop(db, stop)
      }
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} suspensions were not enforced`)
}

/** In which one runs until it is stopped. */
const runningStatuses: ReadonlySet<ClusterStatus> = new Set(['running', 'destroy_to_be_confirmed'])
/** In which a cluster that was stopped runs again, or will. */
const startedStatuses: ReadonlySet<ClusterStatus> = new Set(['running', 'starting', 'restarting'])

/** Does it, unless it is refused: it is so already, moves, or is gone, and the next run sees which. */
async function isAllowed(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
