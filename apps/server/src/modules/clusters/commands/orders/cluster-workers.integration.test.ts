import { createWorker, instanceList, type Resource, resourceList } from '@atoll/contract/clusters'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { raiseDoubt, settleDoubt } from '../../../../platform/careful/index.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import { sumCpuCores } from '../../instances/instance-store.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../../testing/simulated-agents.ts'
import { toResource } from '../../views/cluster-json.ts'
import { getDetail } from '../../views/cluster-service.ts'
import { listClusters } from '../../views/cluster-views.ts'
import { toInstanceLine } from '../../views/instance-json.ts'
import { listVisibleInstances } from '../../views/instance-views.ts'
import { requestAction } from '../cluster-actions.ts'
import { cancelOperation, cancelWaiting, removeWorker } from '../machines/instance-removal.ts'
import { orderCluster } from './cluster-create.ts'
import { addWorkers } from './worker-add.ts'

let instances: MemoryHarness
let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string
let now: Date

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  now = new Date()
  const clock = { now: () => now }
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents, clock })
  owner = await harness.newOwner()
})
afterEach(() => harness[Symbol.asyncDispose]())

const caller = () => callerOf(owner)
/** The clock of the harness goes on by so much. */
function pass(ms: number): void {
  now = new Date(now.getTime() + ms)
}
async function running(): Promise<string> {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  expect((await harness.settle(clusterId)).status).toBe('running')
  return clusterId
}
const add = (clusterId: string, quantity = 1, requestId?: string) =>
  addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity, requestId })
const ask = (action: Parameters<typeof requestAction>[2]['action'], clusterId: string, instanceId?: string) =>
  requestAction(harness.deps, caller(), { call: action, action, body: { clusterId, instanceId } })
const destroy = (clusterId: string, instanceId: string, drain = true) =>
  removeWorker(harness.deps, caller(), { clusterId, instanceId, drain })
const statuses = async (clusterId: string) => {
  const { master, workers } = await harness.rows(clusterId)
  return [master.status, ...workers.map(({ status }) => status)]
}
/** As the list shows it now; what is shown fits the contract. */
async function shown(clusterId: string): Promise<Resource> {
  const rows = await listClusters(harness.db, caller())
  const showing = {
    config: harness.deps.config,
    viewer: caller(),
    locale: 'en-US',
    maxWorkers: 8,
    hosts: new Map(),
  } as const
  const all = resourceList.data.parse(rows.map((row) => toResource(row, showing)))
  const found = all.find((resource) => resource.clusterId === clusterId)
  if (!found) throw new Error('the cluster is not in the list')
  return found
}
async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  const error = await attempt.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

describe('workers', () => {
  test('several join at once, count from the moment they are ordered, and run without activation', async () => {
    const clusterId = await running()
    const { instanceIds, status } = createWorker.data.parse(await add(clusterId, 3))
    expect([instanceIds.length, status]).toEqual([3, 'fetching'])
    expect(await shown(clusterId)).toMatchObject({
      status: 'inactivated',
      cpuCoreTotalCount: 8,
      memoryTotalSize: 4 * 512,
      workers: [{ name: 'worker-1', status: 'fetching' }, { name: 'worker-2' }, { name: 'worker-3' }],
    })
    expect(await sumCpuCores(harness.db, owner)).toBe(8)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'running', 'running', 'running'])
    expect(instances.size).toBe(4)
    const { operations } = await harness.rows(clusterId)
    const joins = operations.filter(({ kind }) => kind === 'addWorker')
    expect(joins.map(({ state, asked_by }) => [state, asked_by])).toEqual(Array(3).fill(['done', owner]))
    expect(joins[0]?.steps.map(({ step, state }) => [step, state])).toEqual([
      ['fetching', 'done'],
      ['queuing', 'done'],
      ['pending', 'done'],
      ['installing', 'done'],
    ])
    const lines = instanceList.data.parse(
      (await listVisibleInstances(harness.db, caller())).map((row) =>
        toInstanceLine(row, { viewer: caller(), locale: 'zh-CN' }),
      ),
    )
    expect(lines.map(({ name, status: at, startedAt }) => [name, at, startedAt !== null])).toEqual([
      ['master', 'inactivated', true],
      ['worker-1', 'running', true],
      ['worker-2', 'running', true],
      ['worker-3', 'running', true],
    ])
    expect(lines[1]?.actions).toEqual(['stop', 'restart', 'destroyWorker'])
    expect(lines[0]?.refusals.destroyWorker).toBe('这是主节点，只能随集群一起销毁。')
  })

  test('one is destroyed after its agent has finished, and its number is used again', async () => {
    const clusterId = await running()
    await add(clusterId, 2)
    await harness.settle(clusterId)
    const { workers } = await harness.rows(clusterId)
    const [first] = workers
    agents.drains = false
    await destroy(clusterId, first?.id ?? '')
    await harness.reconcile(clusterId)
    expect(instances.has(first?.id ?? '')).toBe(true)
    expect(await statuses(clusterId)).toEqual(['running', 'destroying', 'running'])
    const { operations } = await getDetail(harness.deps, caller(), clusterId, 'en-US')
    expect(operations.find(({ kind }) => kind === 'destroyWorker')).toMatchObject({
      kind: 'destroyWorker',
      instanceId: first?.id,
      steps: [
        { step: 'draining', state: 'running' },
        { step: 'destroying', state: 'pending' },
      ],
    })
    agents.drains = true
    await harness.settle(clusterId)
    expect(instances.has(first?.id ?? '')).toBe(false)
    expect(await shown(clusterId)).toMatchObject({ cpuCoreTotalCount: 4, workers: [{ name: 'worker-2' }] })
    await add(clusterId)
    expect((await shown(clusterId)).workers.map(({ name }) => name)).toEqual(['worker-1', 'worker-2'])
  })

  test('one whose agent never answers the drain goes when that took too long, and the history says so', async () => {
    const clusterId = await running()
    const { instanceIds } = await add(clusterId)
    await harness.settle(clusterId)
    agents.drains = false
    await destroy(clusterId, instanceIds[0] ?? '')
    await harness.reconcile(clusterId)
    expect(instances.size).toBe(2)
    pass(61_000)
    await harness.settle(clusterId)
    expect(instances.size).toBe(1)
    const { operations } = await getDetail(harness.deps, caller(), clusterId, 'en-US')
    expect(operations.find(({ kind }) => kind === 'destroyWorker')).toMatchObject({
      state: 'done',
      steps: [{ step: 'draining', detail: 'Its agent did not answer in time, so it was removed without waiting.' }, {}],
    })
  })

  test('a clock that jumps ahead does not cut a drain short', async () => {
    const clusterId = await running()
    const { instanceIds } = await add(clusterId)
    await harness.settle(clusterId)
    agents.drains = false
    await destroy(clusterId, instanceIds[0] ?? '')
    pass(16 * 24 * 3600_000)
    await raiseDoubt(harness.db, 'clock', 'it jumped', harness.deps.clock.now())
    await harness.reconcile(clusterId)
    expect(instances.size).toBe(2)
    pass(61_000)
    await harness.settle(clusterId)
    expect(instances.size).toBe(1)
    await settleDoubt(harness.db, 'clock')
  })

  test('one that still waits is canceled, directly or through its operation; afterwards it is refused', async () => {
    const clusterId = await running()
    const { instanceIds } = await add(clusterId, 2)
    const [one = '', two = ''] = instanceIds
    expect(await cancelWaiting(harness.deps, caller(), { instanceId: one })).toEqual({ status: 'canceling' })
    const waiting = (await harness.rows(clusterId)).operations.find(({ subject_id }) => subject_id === two)
    const detail = await getDetail(harness.deps, caller(), clusterId, 'en-US')
    expect(detail.operations.find(({ instanceId }) => instanceId === two)?.cancellable).toBe(true)
    await cancelOperation(harness.deps, caller(), { operationId: waiting?.id ?? '' })
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'canceled', 'canceled'])
    expect((await shown(clusterId)).workers).toEqual([])
    expect(instances.size).toBe(1)
    const states = (await harness.rows(clusterId)).operations.map(({ kind, state }) => [kind, state])
    expect(states.filter(([kind]) => kind === 'addWorker')).toEqual(Array(2).fill(['addWorker', 'canceled']))
    expect(states.filter(([kind]) => kind === 'cancel')).toEqual(Array(2).fill(['cancel', 'done']))
    const again = await refusalOf(cancelOperation(harness.deps, caller(), { operationId: waiting?.id ?? '' }))
    expect(again.key).toBe('operationEnded')
    const late = await add(clusterId)
    await harness.settle(clusterId)
    const refused = await refusalOf(cancelWaiting(harness.deps, caller(), { instanceId: late.instanceIds[0] ?? '' }))
    expect(refused.sentence('en-US')).toBe(
      'Only what still waits for resources can be canceled; this is Running. You can destroy it instead.',
    )
  })

  test('a whole cluster that still waits is canceled by its master', async () => {
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    const { master } = await harness.rows(clusterId)
    expect((await shown(clusterId)).actions).toContain('cancel')
    await cancelWaiting(harness.deps, caller(), { instanceId: master.id })
    await harness.settle(clusterId)
    expect(await shown(clusterId)).toMatchObject({ status: 'canceled', actions: [] })
    expect(instances.size).toBe(0)
    expect(await sumCpuCores(harness.db, owner)).toBe(0)
    await harness.db
      .updateTable('clusters')
      .set({ changed_at: new Date(Date.now() - 25 * 60 * 60_000) })
      .where('id', '=', clusterId)
      .execute()
    expect(await listClusters(harness.db, caller())).toEqual([])
  })

  test('follow their cluster: stopped, started, restarted and destroyed with it', async () => {
    const clusterId = await running()
    await add(clusterId, 2)
    await harness.settle(clusterId)
    const boots = () => [...instances.values()].map((instance) => instance.boots)
    await ask('stop', clusterId)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['stopped', 'stopped', 'stopped'])
    await ask('start', clusterId)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'running', 'running'])
    expect(boots()).toEqual([2, 2, 2])
    await ask('restart', clusterId)
    await harness.settle(clusterId)
    expect(boots()).toEqual([3, 3, 3])
    await ask('destroyMaster', clusterId)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['destroyed', 'destroyed', 'destroyed'])
    expect(instances.size).toBe(0)
    const { operations } = await harness.rows(clusterId)
    expect(operations.every(({ state, asked_by }) => state === 'done' && asked_by === owner)).toBe(true)
  })

  test('one is stopped, started and restarted alone, and stays stopped when its cluster is started', async () => {
    const clusterId = await running()
    const { instanceIds } = await add(clusterId)
    const worker = instanceIds[0] ?? ''
    await harness.settle(clusterId)
    await ask('stop', clusterId, worker)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'stopped'])
    await ask('stop', clusterId)
    await harness.settle(clusterId)
    expect((await refusalOf(ask('start', clusterId, worker))).key).toBe('clusterNotRunning')
    await ask('start', clusterId)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'stopped'])
    await ask('start', clusterId, worker)
    await harness.settle(clusterId)
    await ask('restart', clusterId, worker)
    await harness.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'running'])
    expect([...instances.values()].map((instance) => instance.boots)).toEqual([2, 3])
  })
})

describe('workers that cannot be', () => {
  test('are refused: too many, over the quota, not sold, of a stopped cluster, of somebody else, of none', async () => {
    const clusterId = await running()
    expect(await refusalOf(add(clusterId, 9))).toMatchObject({ key: 'tooManyWorkers', params: { wanted: 9, most: 8 } })
    expect(await refusalOf(add(clusterId, 8))).toMatchObject({ key: 'vCpuQuotaPassed', params: { wanted: 18 } })
    const other = { clusterId, offering: 'none', quantity: 1 }
    expect((await refusalOf(addWorkers(harness.deps, caller(), other))).key).toBe('offeringUnknown')
    const stranger = callerOf(await harness.newOwner())
    const order = { clusterId, offering: 'small', quantity: 1 }
    expect((await refusalOf(addWorkers(harness.deps, stranger, order))).key).toBe('notFound')
    expect((await refusalOf(destroy(clusterId, 'in_aaaaaaaaaaaaaaaaaaaa'))).key).toBe('notFound')
    const { master } = await harness.rows(clusterId)
    expect((await refusalOf(destroy(clusterId, master.id))).key).toBe('masterByCluster')
    await ask('stop', clusterId)
    await harness.settle(clusterId)
    expect((await refusalOf(add(clusterId))).key).toBe('notRunning')
    expect(instances.size).toBe(1)
  })

  test('are not ordered twice by the same request, nor by the same key for another', async () => {
    const clusterId = await running()
    const first = await add(clusterId, 2, 'request-0001')
    expect(await add(clusterId, 2, 'request-0001')).toEqual(first)
    expect((await refusalOf(add(clusterId, 1, 'request-0001'))).key).toBe('requestIdReused')
    expect((await shown(clusterId)).workers.length).toBe(2)
  })

  test('use the last of the quota once when two orders come at the same instant', async () => {
    const clusterId = await running()
    const outcomes = await Promise.allSettled([add(clusterId, 5), add(clusterId, 5)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await shown(clusterId)).cpuCoreTotalCount).toBe(12)
  })

  test('cannot be added to a self-hosted cluster by this call', async () => {
    const clusterId = await running()
    await harness.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
    expect((await refusalOf(add(clusterId))).key).toBe('workerSelfHosted')
  })
})
