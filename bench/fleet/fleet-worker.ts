/**
 * A worker whose provider and agents are simulated in its own memory, so that what is measured is the reconciler, the
 * queue and PostgreSQL: `node fleet-worker.ts <database URL>`. Prints a line of JSON each 200 ms: finished runs of
 * cluster.reconcile and resident memory in MiB.
 */

import { buildClusters } from '../../apps/server/src/modules/clusters/testing/cluster-harness.ts'
import { simulateAgents } from '../../apps/server/src/modules/clusters/testing/simulated-agents.ts'
import {
  createMemoryProvider,
  type MemoryHarness,
} from '../../apps/server/src/modules/compute/testing/memory-provider.ts'
import { startWorker } from '../../apps/server/src/platform/jobs/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'

export interface FleetReport {
  reconciles: number
  rssMiB: number
}

const databaseUrl = process.argv[2] ?? ''
const instances: MemoryHarness = new Map()
const { clusters } = buildClusters({
  databaseUrl,
  provider: createMemoryProvider(instances),
  agents: simulateAgents(instances),
})
let reconciles = 0
await startWorker({
  connection: { connectionString: databaseUrl },
  jobs: clusters.jobs,
  log: silentLog,
  onFinished(job, outcome) {
    if (outcome === 'failed') throw new Error(`a run of ${job} failed`)
    if (job === 'cluster.reconcile') reconciles += 1
  },
})
setInterval(() => {
  const report: FleetReport = { reconciles, rssMiB: process.memoryUsage().rss / 1024 ** 2 }
  process.stdout.write(`${JSON.stringify(report)}\n`)
}, 200)
