/**
 * A worker of the soak: the real queue with the module's jobs, on instances in a folder whose provider misbehaves now
 * and then, until somebody kills it. Its faults follow from the seed; a file `calm` in the folder ends them.
 *
 *   node soak-worker.ts '{"databaseUrl", "folder", "seed", "deadlineMs"}'
 *
 * Prints `ready` when it takes jobs.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { operationKinds } from '@atoll/contract/clusters'
import { startWorker } from '../../../platform/jobs/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { boundProvider } from '../../compute/provider/bounded-provider.ts'
import { type Fault, faultyProvider, type ProviderMethod } from '../../compute/testing/faulty-provider.ts'
import { createFolderProvider } from '../../compute/testing/folder-provider.ts'
import type { Deadlines } from '../cluster-deps.ts'
import { enqueueFullSweep } from '../sweep/sweep.ts'
import { buildClusters } from './cluster-harness.ts'
import { folderAgents } from './folder-agents.ts'

export interface SoakWorkerOptions {
  databaseUrl: string
  folder: string
  seed: number
  /** Of every operation, ms. */
  deadlineMs: number
}

const options: SoakWorkerOptions = JSON.parse(process.argv[2] ?? '{}')
let state = options.seed >>> 0
/** Whole number below `below`; a linear congruential step is random enough to choose faults by. */
function draw(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

/** Of 100 calls: 82 work. */
function chooseFault(method: ProviderMethod): Fault | undefined {
  if (existsSync(join(options.folder, 'calm'))) return undefined
  const roll = draw(100)
  if (method === 'list') return roll < 30 ? 'stale' : roll < 40 ? 'error' : undefined
  if (method === 'inspect') return roll < 3 ? 'error' : roll < 4 ? 'never' : undefined
  if (roll < 8) return 'error'
  if (roll < 11) return 'lost'
  if (roll < 13) return 'never'
  if (roll < 15) return 'twice'
  if (roll < 17) return 'late'
  return roll < 18 ? (method === 'ensureInstance' ? 'soldOut' : 'final') : undefined
}

const harness = buildClusters({
  databaseUrl: options.databaseUrl,
  agents: folderAgents(options.folder),
  provider: boundProvider(faultyProvider(createFolderProvider(options.folder), chooseFault, 40), 120),
  deadlines: Object.fromEntries(operationKinds.map((kind) => [kind, options.deadlineMs])) as Deadlines,
})
await startWorker({
  connection: { connectionString: options.databaseUrl },
  jobs: harness.clusters.jobs,
  log: silentLog,
  concurrency: 8,
})
await enqueueFullSweep(harness.database.db)
process.stdout.write('ready\n')
