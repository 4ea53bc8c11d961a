import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../../platform/refusal.ts'
import { boundProvider } from '../../compute/provider/bounded-provider.ts'
import { type Fault, faultyProvider, type ProviderMethod } from '../../compute/testing/faulty-provider.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { describeReason } from '../lifecycle/stored-reason.ts'
import { clusterSweep } from '../sweep/sweep.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'
import { requestAction } from './cluster-actions.ts'
import { orderCluster } from './orders/cluster-create.ts'

let instances: MemoryHarness
let agents: SimulatedAgents
let faults: (method: ProviderMethod) => Fault | undefined
let harness: ClusterHarness
let owner: string
/** How far the world's clock is ahead of the real one, ms. */
let ahead: number

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  faults = () => undefined
  const provider = boundProvider(
    faultyProvider(createMemoryProvider(instances), (method) => faults(method), 5),
    60,
  )
  ahead = 0
  harness = await createClusterHarness({ provider, agents, clock: { now: () => new Date(Date.now() + ahead) } })
  owner = await harness.newOwner()
})
afterEach(() => harness[Symbol.asyncDispose]())

/** Moves the clock past every deadline of what is under way. */
function passDeadlines(): void {
  ahead += 60 * 60_000
}
async function create(): Promise<string> {
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  return clusterId
}
async function running(): Promise<string> {
  const clusterId = await create()
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', error: null })
  return clusterId
}
function ask(action: Parameters<typeof requestAction>[2]['action'], clusterId: string) {
  return requestAction(harness.deps, callerOf(owner), { call: action, action, body: { clusterId } })
}

describe('the life of a cluster', () => {
  test('create, stop, start, restart, destroy, each ending its operation', async () => {
    const clusterId = await running()
    const expectation = [
      ['stop', 'stopped'],
      ['start', 'running'],
      ['restart', 'running'],
      ['destroyMaster', 'destroyed'],
    ] as const
    for (const [action, status] of expectation) {
      const boots = [...instances.values()][0]?.boots ?? 0
      await ask(action, clusterId)
      expect(await harness.settle(clusterId)).toMatchObject({ status })
      if (action === 'restart' || action === 'start') expect([...instances.values()][0]?.boots).toBe(boots + 1)
    }
    const { cluster, operations } = await harness.rows(clusterId)
    expect(operations.map(({ kind, state, error }) => [kind, state, error])).toEqual([
      ['create', 'done', null],
      ['stop', 'done', null],
      ['start', 'done', null],
      ['restart', 'done', null],
      ['destroy', 'done', null],
    ])
    expect(cluster.observed_generation).toBe(cluster.generation)
    expect(instances.size).toBe(0)
  })

  test('destroy in the middle of anything supersedes it', async () => {
    const clusterId = await create()
    agents.silent = true
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).cluster.status).toBe('pending')
    await ask('destroyMaster', clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(
      (await harness.rows(clusterId)).operations.map(({ kind, state, error }) => [
        kind,
        state,
        describeReason(error, 'en-US'),
      ]),
    ).toEqual([
      ['create', 'canceled', 'Superseded by: Destroy.'],
      ['destroy', 'done', null],
    ])
    expect(instances.size).toBe(0)
  })

  test('an instance that dies is brought back', async () => {
    const clusterId = await running()
    const [instance] = instances.values()
    if (instance) instance.state = 'failed'
    await harness.reconcile(clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
    expect(instance?.boots).toBe(2)
    expect((await harness.rows(clusterId)).operations.at(-1)).toMatchObject({
      kind: 'recover',
      state: 'done',
      asked_by: null,
    })
  })

  test('an install that failed is errored in the agent’s words, and retried under a new task', async () => {
    agents.failure = 'fetch: no space left on the disk'
    const clusterId = await create()
    const errored = await harness.settle(clusterId)
    expect(errored).toMatchObject({ status: 'errored', resume_stack: ['installing'] })
    expect(describeReason(errored.error, 'en-US')).toBe(`The install failed: ${agents.failure}`)
    expect(describeReason(errored.error, 'zh-CN')).toBe(`安装失败：${agents.failure}`)
    expect((await harness.rows(clusterId)).operations).toMatchObject([{ state: 'failed', error: errored.error }])
    expect(await ask('retry', clusterId)).toEqual({ status: 'installing' })
    agents.failure = null
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', error: null })
    expect(new Set(agents.requests).size).toBe(2)
    expect(instances.size).toBe(1)
  })
})

describe('a provider that misbehaves', () => {
  test.each(['late', 'twice', 'error'] as const)(
    'answering each call "%s" at first changes nothing in the end',
    async (fault) => {
      let left = 6
      faults = () => {
        left -= 1
        return left >= 0 ? fault : undefined
      }
      const clusterId = await create()
      expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
      expect(instances.size).toBe(1)
      left = 4
      await ask('destroyMaster', clusterId)
      expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
      expect(instances.size).toBe(0)
    },
  )

  test('that never answers ends in errored with a reason, and a retry goes on', async () => {
    faults = (method) => (method === 'ensureInstance' ? 'never' : undefined)
    const clusterId = await create()
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).cluster.status).toBe('fetching')
    passDeadlines()
    const cluster = await harness.settle(clusterId)
    expect(cluster).toMatchObject({ status: 'errored', resume_stack: ['fetching'] })
    expect(describeReason(cluster.error, 'en-US')).toContain('memory did not answer "create" within 0.06 s')
    faults = () => undefined
    await ask('retry', clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
  })

  test('that never answers anything is not taken for gone', async () => {
    const clusterId = await running()
    faults = () => 'never'
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).cluster.status).toBe('running')
    await ask('destroyMaster', clusterId)
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).cluster.status).toBe('destroying')
    passDeadlines()
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'errored', resume_stack: ['destroying'] })
    faults = () => undefined
    await ask('retry', clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(0)
  })

  test('that succeeds and then times out makes no second instance', async () => {
    let left = 1
    faults = (method) => {
      if (method !== 'ensureInstance') return undefined
      left -= 1
      return left >= 0 ? 'lost' : undefined
    }
    const clusterId = await create()
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
    expect([...instances.values()].map((instance) => instance.boots)).toEqual([1])
  })

  test('that refuses for good is errored at once with its words', async () => {
    faults = (method) => (method === 'ensureInstance' ? 'final' : undefined)
    const clusterId = await create()
    await harness.reconcile(clusterId)
    const { master } = await harness.rows(clusterId)
    expect(master.status).toBe('errored')
    expect(describeReason(master.error, 'en-US')).toBe('The provider refused: ensureInstance: no room for this size.')
  })

  test('that makes an instance after it was given up leaves no orphan', async () => {
    const clusterId = await create()
    await harness.reconcile(clusterId)
    const [instance] = instances.values()
    await ask('destroyMaster', clusterId)
    await harness.settle(clusterId)
    if (instance) instances.set(instance.spec.instanceId, instance)
    const foreign = { ...instance, spec: { ...instance?.spec, deployment: 'somebody-else' } } as NonNullable<
      typeof instance
    >
    instances.set('in_foreign0000', foreign)
    await clusterSweep(harness.deps).run({}, harness.jobContext())
    expect([...instances.keys()]).toEqual(['in_foreign0000'])
  })

  test('whose instance is gone while stopped says so instead of making an empty one', async () => {
    const clusterId = await running()
    await ask('stop', clusterId)
    await harness.settle(clusterId)
    instances.clear()
    await ask('start', clusterId)
    const cluster = await harness.settle(clusterId)
    expect(cluster).toMatchObject({ status: 'errored', resume_stack: ['starting'] })
    expect(describeReason(cluster.error, 'en-US')).toContain('no longer has this instance')
    await ask('destroyMaster', clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
  })

  test('an agent that never reports ends the operation with that reason', async () => {
    agents.silent = true
    const clusterId = await create()
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).cluster.status).toBe('pending')
    passDeadlines()
    const cluster = await harness.settle(clusterId)
    expect(cluster).toMatchObject({ status: 'errored', resume_stack: ['pending'] })
    expect(describeReason(cluster.error, 'en-US')).toContain('its agent does not report')
  })

  test('an instance that always dies is given up after a few boots', async () => {
    const clusterId = await create()
    agents.silent = true
    await harness.reconcile(clusterId)
    for (let run = 0; run < 10; run += 1) {
      for (const instance of instances.values()) instance.state = 'failed'
      await harness.reconcile(clusterId)
    }
    const { master } = await harness.rows(clusterId)
    expect(master.status).toBe('errored')
    expect(describeReason(master.error, 'en-US')).toContain('ended 4 times in a row')
    expect([...instances.values()][0]?.boots).toBe(4)
  })
})

describe('an action', () => {
  test('that the status does not allow is refused with the status and the action', async () => {
    const clusterId = await running()
    const refusal = await ask('start', clusterId).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ key: 'alreadyRunning', code: 409 })
    expect((refusal as Refusal).sentence('en-US')).toBe('It is running already.')
    expect((refusal as Refusal).sentence('zh-CN')).toBe('它已在运行。')
  })

  test('on someone else’s cluster is answered like one on a missing cluster', async () => {
    const clusterId = await running()
    const stranger = await harness.newOwner()
    const request = { call: 'clusterStop', action: 'stop' } as const
    const other = await requestAction(harness.deps, callerOf(stranger), { ...request, body: { clusterId } }).catch(
      (error) => error,
    )
    const missing = await requestAction(harness.deps, callerOf(stranger), {
      ...request,
      body: { clusterId: 'cl_aaaaaaaaaaaaaaaaaaaa' },
    }).catch((error) => error)
    expect(other).toMatchObject({ key: 'notFound' })
    expect(other.message).toBe(missing.message)
  })

  test('leaves desired state, operation and job together or none of them', async () => {
    const clusterId = await create()
    expect(await harness.countJobs(clusterId)).toBe(1)
    const before = await harness.rows(clusterId)
    const broken = { ...harness.deps, agents, deadlines: { destroy: -1e15 } }
    const request = { call: 'destroyMaster', action: 'destroyMaster', body: { clusterId } } as const
    // The deadline is long before any time PostgreSQL knows, so its insert fails after the cluster's row was written.
    await expect(requestAction(broken, callerOf(owner), request)).rejects.toThrow()
    expect(await harness.rows(clusterId)).toEqual(before)
  })
})
