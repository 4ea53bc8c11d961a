/**
 * Job cluster.sweep: finds what the reconciler was not woken for (platform/reconcile). Besides what was quiet:
 *   unnamed   what a provider has for this deployment and no living row names: sweep/stray-sweep.ts. Not where the
 *             database may have lost rows: platform/careful/claims.ts.
 *   lacking   instances that should exist and that their provider does not list. A list may be late, so it proves
 *             nothing: the reconciler asks for the one instance, and that answer counts.
 *   returned  instances that were missing and are listed again.
 */

import { type ClusterStatus, clusterStatuses } from '@atoll/contract/clusters'
import { sql } from 'kysely'
import { describePause, renewClaim } from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import * as sweeps from '../../../platform/reconcile/index.ts'
import type { ProviderPlace } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import { reconcileJob } from '../instances/reconcile-store.ts'
import { isEnded, isTransitioning } from '../lifecycle/cluster-state.ts'
import { sweepStrays } from './stray-sweep.ts'

const sweepJob = 'cluster.sweep'

/** A cluster on its way somewhere is reconciled every 15 s or more often; ms. */
const movingQuietMs = 45_000
/** One at rest: in case its instance died while nobody could tell. ms */
const restingQuietMs = 10 * 60_000
/** Clusters at rest reconciled per sweep. */
const restingBatch = 500

/** `offline` too: what returns may need a start. */
const moving = clusterStatuses.filter((status) => isTransitioning(status) || status === 'offline')
const resting = clusterStatuses.filter((status) => !moving.includes(status) && !isEnded(status))
/** Instances that are complete: their provider must have them. Moving ones are reconciled anyway. */
const complete = ['running', 'stopped'] as const satisfies ClusterStatus[]

export function clusterSweep(deps: ClusterDeps): Job {
  const { db, clock } = deps
  return sweeps.defineSweep({
    name: sweepJob,
    lane: 'own',
    waits: 'never',
    reconciler: reconcileJob,
    db,
    clock,
    listChanged: ({ log }) => sweepProviders(deps, log),
    async listQuiet(now, all) {
      const ago = (ms: number) => (all ? now : new Date(now.getTime() - ms))
      return [
        ...(await listQuiet(db, moving, ago(movingQuietMs), null)),
        ...(await listQuiet(db, resting, ago(restingQuietMs), all ? null : restingBatch)),
      ]
    },
  })
}

/** When a worker starts: instances may have ended together with this machine. */
export async function enqueueFullSweep(db: Db): Promise<void> {
  await sweeps.enqueueFullSweep(db, sweepJob)
}

/** Sweeps every provider; gives the clusters whose instances it shows otherwise than their rows. */
async function sweepProviders(deps: ClusterDeps, log: Log): Promise<string[]> {
  const { db, compute } = deps
  const deployment = await getDeployment(db)
  const changed: string[] = []
  for (const place of compute.places()) {
    const { provider } = place
    const present = await sweepPlace(deps, place, deployment, log)
    if (!present) continue
    const clouds = compute.catalog.clouds.filter(({ cloudName }) => compute.provider(cloudName) === provider)
    const names = clouds.map(({ cloudName }) => cloudName)
    const lacking = await listLacking(db, names, present)
    for (const clusterId of lacking) {
      log.warn({ clusterId, provider: provider.name }, 'a provider does not list an instance that should exist')
    }
    changed.push(...lacking, ...(await listReturned(db, names, present)))
  }
  return changed
}

/**
 * Sweeps what no living row names at one provider. Ids of what it has for this deployment; undefined when it cannot
 * say, which is not the same as nothing.
 */
async function sweepPlace(
  { db, clock, config }: ClusterDeps,
  place: ProviderPlace,
  deployment: string,
  log: Log,
): Promise<string[] | undefined> {
  try {
    const present = await place.provider.list(deployment)
    const isUntouched = present.length === 0 && (await place.provider.claims?.read()) === undefined
    // The first instance claims the provider; until then there is nothing to sweep.
    if (isUntouched) return present
    const { claims } = place.provider
    const now = clock.now()
    const problem = claims && (await renewClaim(db, { place: place.place, claims, deployment, now }))
    if (problem) log.error({ place: place.place, problem }, describePause({ place: place.place, problem }))
    // Of another deployment nothing is even listed.
    if (problem !== 'stranger') await sweepStrays(db, place, present, { now, keepMs: config.strayMs, log })
    return present
  } catch (error) {
    log.warn({ err: error, place: place.place }, 'a provider could not be swept')
  }
}

/** Clusters in `clouds` with a complete instance that is not `present`, and not known to be missing. */
async function listLacking(db: Db, clouds: readonly string[], present: readonly string[]): Promise<string[]> {
  const query = withInstancesIn(db, clouds)
    .where('instances.status', 'in', complete)
    .where('instances.missing', '=', false)
    .where('instances.id', '<>', sql<string>`all(${present}::text[])`)
  return (await query.execute()).map(({ id }) => id)
}

/**
 * Clusters in `clouds` with an instance that was missing and is `present`: until it is reconciled, a repair is offered.
 */
async function listReturned(db: Db, clouds: readonly string[], present: readonly string[]): Promise<string[]> {
  const query = withInstancesIn(db, clouds)
    .where('instances.status', '=', 'errored')
    .where('instances.missing', '=', true)
    .where('instances.id', '=', sql<string>`any(${present}::text[])`)
  return (await query.execute()).map(({ id }) => id)
}

function withInstancesIn(db: Db, clouds: readonly string[]) {
  return db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select('clusters.id')
    .distinct()
    .where('clusters.cloud_name', '=', sql<string>`any(${clouds}::text[])`)
}

/** By the status of any instance: a worker may move while its cluster rests. */
async function listQuiet(
  db: Db,
  statuses: readonly ClusterStatus[],
  checkedBefore: Date,
  limit: number | null,
): Promise<string[]> {
  const query = db
    .selectFrom('clusters')
    .select('id')
    .where('status', 'not in', endedStatuses)
    .where('checked_at', '<=', checkedBefore)
    .where((where) =>
      where.exists(
        where
          .selectFrom('instances')
          .select('instances.id')
          .whereRef('instances.cluster_id', '=', 'clusters.id')
          .where('instances.status', 'in', statuses),
      ),
    )
    .orderBy('checked_at')
  return (await (limit === null ? query : query.limit(limit)).execute()).map((row) => row.id)
}
