/**
 * Job cluster.sweep: finds what fell through. Runs each minute and when a worker starts.
 *   orphans  instances that a provider has for this deployment and no living row names are destroyed. Providers are
 *            asked before the rows are read: a row is always there before its instance.
 *   lacking  instances that should exist and that their provider does not list have their cluster looked at. A list may
 *            be late, so it proves nothing: the reconciler asks for the one instance, and that answer counts.
 *   quiet    clusters that the reconciler has not looked at for a while are looked at, in case a notice was lost.
 * Safe to repeat and to run twice at once.
 */

import { type ClusterStatus, clusterStatuses } from '@atoll/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { deleteRequestKeysBefore, requestKeyLifetimeMs } from '../../../platform/requests/index.ts'
import type { ComputeProvider } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import { isEnded, isTransitioning } from '../lifecycle/cluster-state.ts'
import { enqueueReconcile, getDeployment } from './reconcile-store.ts'

const sweepJob = 'cluster.sweep'

/** A cluster on its way somewhere is looked at every 15 s or more often; ms. */
const movingQuietMs = 45_000
/** One at rest: in case its instance died while nobody could tell. ms */
const restingQuietMs = 10 * 60_000
/** Clusters at rest looked at per sweep. */
const restingBatch = 500

/** `offline` too: what returns may need a start. */
const moving = clusterStatuses.filter((status) => isTransitioning(status) || status === 'offline')
const resting = clusterStatuses.filter((status) => !moving.includes(status) && !isEnded(status))
/** Machines that are complete: their provider must have them. Moving ones are looked at anyway. */
const complete = ['running', 'stopped'] as const satisfies ClusterStatus[]

export function clusterSweep({ db, clock, compute }: ClusterDeps): Job {
  return defineJob({
    name: sweepJob,
    cron: '* * * * *',
    /** `all`: every living cluster, however recently it was looked at; the machine may have been started anew. */
    payload: z.looseObject({ all: z.boolean().optional() }),
    async run({ all }, { log }) {
      const deployment = await getDeployment(db)
      for (const provider of compute.providers()) {
        const present = await listPresent(provider, deployment, log)
        if (!present) continue
        await sweepOrphans(db, provider, present, log)
        const clouds = compute.catalog.clouds.filter(({ cloudName }) => compute.provider(cloudName) === provider)
        const names = clouds.map(({ cloudName }) => cloudName)
        for (const clusterId of await listLacking(db, names, present)) {
          log.warn({ clusterId, provider: provider.name }, 'a provider does not list an instance that should exist')
          await enqueueReconcile(db, clusterId)
        }
      }
      const now = clock.now().getTime()
      const ago = (ms: number) => new Date(all ? now : now - ms)
      const quiet = [
        ...(await listQuiet(db, moving, ago(movingQuietMs), null)),
        ...(await listQuiet(db, resting, ago(restingQuietMs), all ? null : restingBatch)),
      ]
      for (const clusterId of quiet) await enqueueReconcile(db, clusterId)
      if (quiet.length > 0) log.info({ count: quiet.length }, 'clusters are looked at again')
      await deleteRequestKeysBefore(db, new Date(now - requestKeyLifetimeMs))
    },
  })
}

/** When a worker starts: instances may have ended together with the machine. */
export async function enqueueFullSweep(db: Db): Promise<void> {
  await enqueueJob(db, sweepJob, { all: true }, { key: `${sweepJob}:start` })
}

/** Ids of what the provider has for this deployment; undefined when it cannot say, which is not the same as nothing. */
async function listPresent(provider: ComputeProvider, deployment: string, log: Log): Promise<string[] | undefined> {
  try {
    return await provider.list(deployment)
  } catch (error) {
    log.warn({ err: error, provider: provider.name }, 'a provider could not list its instances')
  }
}

/** Destroys what of `present` no living row names. One that fails is left to the next sweep. */
export async function sweepOrphans(
  db: Db,
  provider: ComputeProvider,
  present: readonly string[],
  log: Log,
): Promise<void> {
  if (present.length === 0) return
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('id', '=', sql<string>`any(${present}::text[])`)
    .where('status', 'not in', endedStatuses)
    .execute()
  const named = new Set(rows.map((row) => row.id))
  for (const instanceId of present.filter((id) => !named.has(id))) {
    try {
      await provider.destroy(instanceId)
      log.warn({ instanceId, provider: provider.name }, 'an instance that no cluster names was destroyed')
    } catch (error) {
      log.warn({ err: error, instanceId, provider: provider.name }, 'an orphan could not be destroyed yet')
    }
  }
}

/** Clusters in `clouds` with a complete machine that is not `present`, and not known to be missing. */
async function listLacking(db: Db, clouds: readonly string[], present: readonly string[]): Promise<string[]> {
  if (clouds.length === 0) return []
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select('clusters.id')
    .distinct()
    .where('clusters.cloud_name', 'in', clouds)
    .where('instances.status', 'in', complete)
    .where('instances.missing', '=', false)
    .where('instances.id', '<>', sql<string>`all(${present}::text[])`)
    .execute()
  return rows.map((row) => row.id)
}

/** By the status of any machine: a worker may move while its cluster rests. */
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
