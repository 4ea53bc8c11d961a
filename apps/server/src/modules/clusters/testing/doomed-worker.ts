/**
 * A worker that is killed (SIGKILL, by itself) at the n-th boundary it reaches: before each statement that writes and
 * before each provider call, which together are all the moments that differ for whoever comes after it.
 *
 *   node doomed-worker.ts '{"databaseUrl", "dataDir", "program", "clusterId", "boundary"}'
 *
 * Ends with 0 when the cluster came to rest before that boundary. Only tests start it; the server has no such switch.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { silentLog } from '../../../platform/log.ts'
import { createProcessProvider } from '../../compute/drivers/process/process-provider.ts'
import { faultyProvider } from '../../compute/testing/faulty-provider.ts'
import { isTransitioning } from '../cluster-state.ts'
import { buildClusters } from './cluster-world.ts'
import { folderAgents } from './folder-agents.ts'

export interface DoomedWorkerOptions {
  databaseUrl: string
  dataDir: string
  program: string
  clusterId: string
  /** Counted from 1; 0: never. */
  boundary: number
}

const options: DoomedWorkerOptions = JSON.parse(process.argv[2] ?? '{}')
let passed = 0
function reachBoundary(): void {
  passed += 1
  if (passed === options.boundary) process.kill(process.pid, 'SIGKILL')
}

const writing = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'RawNode'])
const countWrites: KyselyPlugin = {
  transformQuery({ node }) {
    if (writing.has(node.kind)) reachBoundary()
    return node
  },
  transformResult: async ({ result }) => result,
}

const { dataDir, program } = options
const provider = createProcessProvider({ dataDir, program, log: silentLog, graceMs: 200 })
const world = buildClusters({
  databaseUrl: options.databaseUrl,
  agents: folderAgents(dataDir),
  provider: faultyProvider(provider, (method) => {
    if (method !== 'inspect' && method !== 'list') reachBoundary()
    return undefined
  }),
  wrapDb: (db) => db.withPlugin(countWrites),
})

for (;;) {
  await world.reconcile(options.clusterId)
  const { status } = await world.database.db
    .selectFrom('clusters')
    .select('status')
    .where('id', '=', options.clusterId)
    .executeTakeFirstOrThrow()
  if (!isTransitioning(status)) break
  // Nothing announces an agent that only exists in a folder.
  await delay(10)
}
await world.database.close()
