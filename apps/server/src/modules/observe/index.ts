/** How instances are: their samples, gathered, kept and read. Nothing is charged by them. */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { samplesMaintenance } from './jobs/samples-maintain.ts'
import { openSamples } from './postgres/postgres-samples.ts'
import { scrapeRoutes } from './routes/scrape-routes.ts'
import type { SampleStore } from './samples/sample-store.ts'
import { createSampleWriter, type SampleWriter, type SampleWriterDeps } from './samples/sample-writer.ts'
import { type ScrapeDeps, scrapePlugin } from './scrape/scrape-plugin.ts'
import { type TakenTraffic, takeTraffic } from './traffic/traffic-marks.ts'

export { alertsEvaluate } from './alerts/alerts-evaluate.ts'
export { type LatestTuple, latestSampleOf } from './postgres/postgres-samples.ts'
export { alertRoutes } from './routes/alert-routes.ts'
export { metrics, type Series } from './samples/sample-store.ts'
export type { SampleWriter } from './samples/sample-writer.ts'
// Apart, since they ask the modules that samples know nothing of.
export { observeTimes } from './stored-times.ts'

export interface ObserveDeps extends Omit<SampleWriterDeps, 'store'> {
  db: Db
}

export interface Observe {
  jobs: Job[]
  samples: SampleStore
  /** For a process that agents report to. */
  startWriter(): SampleWriter
  /** Bytes that these instances counted since they were last taken. */
  takeTraffic(trx: Trx, instanceIds: readonly string[]): Promise<TakenTraffic[]>
}

export function createObserve(deps: ObserveDeps): Observe {
  const { db, clock } = deps
  const samples = openSamples(db, clock)
  return {
    jobs: [samplesMaintenance(deps)],
    samples,
    startWriter: () => createSampleWriter({ ...deps, store: samples }),
    takeTraffic: (trx, instanceIds) => takeTraffic(clock, trx, instanceIds),
  }
}

/**
 * The endpoint that an account's own Prometheus scrapes, and its token. Created separately, like alerts, because it
 * reads usage and backups.
 */
export function createScrape(deps: ScrapeDeps): { routes: Route[]; plugin: FastifyPluginAsync } {
  return { routes: scrapeRoutes(deps), plugin: scrapePlugin(deps) }
}

/** Removes all that is known of these instances; unknown ids are success. */
export async function forgetSamples(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  if (instanceIds.length === 0) return
  await openSamples(trx, systemClock).forget(instanceIds)
  await trx.deleteFrom('agent_traffic_marks').where('instance_id', 'in', instanceIds).execute()
}
