/**
 * Job cluster.sweep: finds what fell through. Runs each minute and when a worker starts.
 *   orphans  instances that a provider has for this deployment and no living row names are destroyed. Providers are
 *            asked before the rows are read: a row is always there before its instance.
 *   quiet    clusters that the reconciler has not looked at for a while are looked at, in case a notice was lost.
 * Safe to repeat and to run twice at once.
 */

import { clusterStatuses } from '@atoll/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { ComputeProvider } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { isEnded, isTransitioning } from '../cluster-state.ts'
import { enqueueReconcile, getDeployment } from '../reconcile-store.ts'
import { deleteRequestKeysBefore, requestKeyLifetimeMs } from '../request-keys.ts'

export const sweepJob = 'cluster.sweep'

/** A cluster on its way somewhere is looked at every 15 s or more often; ms. */
const movingQuietMs = 45_000
/** One at rest: in case its instance died while nobody could tell. ms */
const restingQuietMs = 10 * 60_000
/** Clusters at rest looked at per sweep. */
const restingBatch = 500

const moving = clusterStatuses.filter(isTransitioning)
const resting = clusterStatuses.filter((status) => !isTransitioning(status) && !isEnded(status))

export function clusterSweep({ db, clock, compute }: ClusterDeps): Job {
  return defineJob({
    name: sweepJob,
    cron: '* * * * *',
    /** `all`: every living cluster, however recently it was looked at; the machine may have been started anew. */
    payload: z.looseObject({ all: z.boolean().optional() }),
    async run({ all }, { log }) {
      const deployment = await getDeployment(db)
      for (const provider of compute.providers()) await sweepOrphans(db, provider, deployment, log)
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

/** Destroys what no row names. One that fails is left to the next sweep. */
export async function sweepOrphans(db: Db, provider: ComputeProvider, deployment: string, log: Log): Promise<void> {
  let present: string[]
  try {
    present = await provider.list(deployment)
  } catch (error) {
    log.warn({ err: error, provider: provider.name }, 'a provider could not list its instances')
    return
  }
  if (present.length === 0) return
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select('instances.id')
    .where('instances.id', '=', sql<string>`any(${present}::text[])`)
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
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

async function listQuiet(
  db: Db,
  statuses: readonly (typeof clusterStatuses)[number][],
  checkedBefore: Date,
  limit: number | null,
): Promise<string[]> {
  const query = db
    .selectFrom('clusters')
    .select('id')
    .where('status', 'in', statuses)
    .where('checked_at', '<=', checkedBefore)
    .orderBy('checked_at')
  return (await (limit === null ? query : query.limit(limit)).execute()).map((row) => row.id)
}
