import { clusterStatuses } from '@atoll/contract/clusters'
import type { Db } from '../../../platform/db/index.ts'
import type { ComputeProvider } from '../../compute/index.ts'
import { faultyProvider } from '../../compute/testing/faulty-provider.ts'
import { createFolderProvider } from '../../compute/testing/folder-provider.ts'
import { isTransitioning } from '../lifecycle/cluster-state.ts'
import { reachBoundary } from './boundary-pool.ts'

/** How long a call to the stumbling provider may take, ms. */
export const stumbleTimeoutMs = 30

/**
 * The provider of the crash matrix: of every kind of call to an instance, the first is answered 503 and the second
 * takes effect without an answer. Each call is a boundary.
 */
export function stumblingProvider(folder: string): ComputeProvider {
  const calls = new Map<string, number>()
  const stumbling = faultyProvider(createFolderProvider(folder), (method, instanceId) => {
    if (method === 'inspect' || method === 'list') return undefined
    const key = `${method} ${instanceId}`
    const count = (calls.get(key) ?? 0) + 1
    calls.set(key, count)
    return count === 1 ? 'error' : count === 2 ? 'lost' : undefined
  })
  const before = async <T>(call: () => Promise<T>): Promise<T> => {
    await reachBoundary()
    return await call()
  }
  return {
    ...stumbling,
    ensureInstance: (spec) => before(() => stumbling.ensureInstance(spec)),
    start: (id) => before(() => stumbling.start(id)),
    stop: (id) => before(() => stumbling.stop(id)),
    restart: (id, from) => before(() => stumbling.restart(id, from)),
    move: (id, member) => before(async () => await stumbling.move?.(id, member)),
    destroy: (id) => before(() => stumbling.destroy(id)),
  }
}

const moving = clusterStatuses.filter(isTransitioning)

/** Whether no instance of the cluster is on its way anywhere. */
export async function isAtRest(db: Db, clusterId: string): Promise<boolean> {
  const row = await db
    .selectFrom('instances')
    .select('id')
    .where('cluster_id', '=', clusterId)
    .where((from) => from.or([from('status', 'in', moving), from('move_to', 'is not', null)]))
    .executeTakeFirst()
  return row === undefined
}
