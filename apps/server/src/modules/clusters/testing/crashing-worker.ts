/**
 * A worker that kills its own process (SIGKILL) in the middle of its work: each cluster that it is given is carried up
 * to its own boundary (boundary-pool.ts, and before each provider call) and stops there; when all have stopped or come
 * to rest, the process kills itself. One death thus covers every boundary of an operation, each on another cluster.
 *
 *   node crashing-worker.ts '{"databaseUrl", "folder", "boundaries": {"<clusterId>": 3}}'
 *
 * Prints the ids of the clusters that stopped. Only tests start it; the server has no such switch.
 */
import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { boundProvider } from '../../compute/provider/bounded-provider.ts'
import { countBoundaries, runToBoundary } from './boundary-pool.ts'
import { buildClusters } from './cluster-harness.ts'
import { folderAgents } from './folder-agents.ts'
import { isAtRest, stumbleTimeoutMs, stumblingProvider } from './stumbling-provider.ts'

export interface CrashingWorkerOptions {
  databaseUrl: string
  folder: string
  /** Cluster → the boundary at which it stops, counted from 1. */
  boundaries: Record<string, number>
}

const options: CrashingWorkerOptions = JSON.parse(process.argv[2] ?? '{}')
const clusters = Object.entries(options.boundaries)
const harness = buildClusters({
  databaseUrl: options.databaseUrl,
  agents: folderAgents(options.folder),
  provider: boundProvider(stumblingProvider(options.folder), stumbleTimeoutMs),
  wrapPool: countBoundaries,
  // One that has stopped keeps its connection; one more for the locks.
  poolSize: clusters.length + 1,
})

async function bringToRest(clusterId: string): Promise<void> {
  for (;;) {
    await harness.reconcile(clusterId)
    if (await isAtRest(harness.database.db, clusterId)) return
    // Nothing announces an agent that only exists in a folder.
    await delay(5)
  }
}

const outcomes = await Promise.all(
  clusters.map(async ([clusterId, boundary]) => {
    const { halted } = await runToBoundary(boundary, () => bringToRest(clusterId))
    return { clusterId, halted }
  }),
)
const stopped = outcomes.filter(({ halted }) => halted).map(({ clusterId }) => clusterId)
writeSync(1, JSON.stringify(stopped))
process.kill(process.pid, 'SIGKILL')
