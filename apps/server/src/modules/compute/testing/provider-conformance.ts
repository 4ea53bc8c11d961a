import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ComputeProvider, type InstanceSpec, type Observed, ProviderError } from '../provider/compute-provider.ts'

/** A provider in its own test environment. */
export interface ProviderUnderTest {
  /** A new driver on the same world, as another process of the control plane has it. */
  open(): ComputeProvider
  /** How many processes of the instance there are, found without asking the driver; may pass 1 while callers race. */
  countRunning(instanceId: string): number
  /** Two members of its region; left out: there is one machine. */
  members?: readonly [string, string]
  /** Makes a running instance crash. */
  crash(instanceId: string): Promise<void>
  cleanUp(): Promise<void>
}

export function testSpec(): InstanceSpec {
  const id = randomBytes(10).toString('hex')
  return {
    instanceId: `in_${id}`,
    clusterId: `cl_${id}`,
    deployment: 'conformance',
    region: 'here',
    cpuCoreCount: 2,
    memoryMiB: 512,
    member: null,
    diskMiB: 1024,
    image: 'agent',
    maySendMail: false,
    enrollToken: randomBytes(32).toString('base64url'),
    controlUrl: 'http://127.0.0.1:9',
  }
}

/** Reads until `state` is seen, and, as the reconciler does, again when the provider cannot answer now. */
export async function waitForState(
  provider: ComputeProvider,
  instanceId: string,
  state: Observed['state'],
): Promise<Observed> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      const observed = await provider.inspect(instanceId)
      if (observed.state === state) return observed
      if (performance.now() > deadline) throw new Error(`not ${state} but ${JSON.stringify(observed)}`)
    } catch (error) {
      const mayAnswerLater = error instanceof ProviderError && error.retryable
      if (!mayAnswerLater || performance.now() > deadline) throw error
    }
    await delay(20)
  }
}

/** The guarantees that the reconciler relies on. Runs against every provider. */
export function describeProvider(name: string, create: () => Promise<ProviderUnderTest>): void {
  describe(`provider ${name}`, () => {
    let harness: ProviderUnderTest
    let provider: ComputeProvider
    let spec: InstanceSpec
    beforeEach(async () => {
      harness = await create()
      provider = harness.open()
      spec = testSpec()
    })
    afterEach(() => harness.cleanUp())

    async function bootInstance(): Promise<Observed> {
      await provider.ensureInstance(spec)
      return waitForState(provider, spec.instanceId, 'running')
    }

    test('an instance nobody made is absent', async () => {
      expect(await provider.inspect(spec.instanceId)).toMatchObject({
        state: 'absent',
        address: null,
        incarnation: null,
      })
      expect(await provider.list(spec.deployment)).toEqual([])
      expect(await provider.usage(spec.instanceId)).toBeUndefined()
    })

    test('ensureInstance makes it run, with an address and an incarnation', async () => {
      const observed = await bootInstance()
      expect(observed.address?.port).toBeGreaterThan(0)
      expect(observed.incarnation).not.toBeNull()
      expect(await provider.list(spec.deployment)).toEqual([spec.instanceId])
      expect(await provider.usage(spec.instanceId)).toMatchObject({ memoryUsed: expect.any(Number) })
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
    })

    test('ensureInstance many times at once, from two control planes, makes one', async () => {
      const other = harness.open()
      await Promise.all([1, 2, 3, 4].map((at) => (at % 2 ? provider : other).ensureInstance(spec)))
      await waitForState(provider, spec.instanceId, 'running')
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
      expect(await other.inspect(spec.instanceId)).toEqual(await provider.inspect(spec.instanceId))
    })

    test('another control plane adopts it', async () => {
      const observed = await bootInstance()
      const other = harness.open()
      expect(await other.inspect(spec.instanceId)).toEqual(observed)
      await other.stop(spec.instanceId)
      expect(harness.countRunning(spec.instanceId)).toBe(0)
    })

    test('stop and start, each twice, leave it stopped and running', async () => {
      const { incarnation } = await bootInstance()
      await provider.stop(spec.instanceId)
      await provider.stop(spec.instanceId)
      expect(await provider.inspect(spec.instanceId)).toMatchObject({ state: 'stopped', incarnation: null })
      expect(harness.countRunning(spec.instanceId)).toBe(0)
      await provider.ensureInstance(spec)
      expect(harness.countRunning(spec.instanceId)).toBe(0)
      await Promise.all([provider.start(spec.instanceId), provider.start(spec.instanceId)])
      const again = await waitForState(provider, spec.instanceId, 'running')
      expect(again.incarnation).not.toBe(incarnation)
      await provider.start(spec.instanceId)
      expect((await provider.inspect(spec.instanceId)).incarnation).toBe(again.incarnation)
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
    })

    test('restart boots it again once, however often it is asked', async () => {
      const { incarnation } = await bootInstance()
      await provider.restart(spec.instanceId, incarnation ?? '')
      const again = await waitForState(provider, spec.instanceId, 'running')
      expect(again.incarnation).not.toBe(incarnation)
      await provider.restart(spec.instanceId, incarnation ?? '')
      expect((await provider.inspect(spec.instanceId)).incarnation).toBe(again.incarnation)
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
    })

    test('one that crashes is failed, and start brings it back', async () => {
      await bootInstance()
      await harness.crash(spec.instanceId)
      expect(await waitForState(provider, spec.instanceId, 'failed')).toMatchObject({
        address: null,
        incarnation: null,
      })
      await provider.start(spec.instanceId)
      await waitForState(provider, spec.instanceId, 'running')
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
    })

    test('move takes it to another member, once, and boots it there only if it runs', async () => {
      if (!harness.members) return
      const [first, second] = harness.members
      const other = harness.open()
      spec = { ...spec, member: first }
      const before = await bootInstance()
      expect(before.location).toBe(first)
      await provider.move?.(spec.instanceId, second)
      const moved = await waitForState(provider, spec.instanceId, 'running')
      expect(moved.location).toBe(second)
      expect(moved.incarnation).not.toBe(before.incarnation)
      await other.move?.(spec.instanceId, second)
      expect(await other.inspect(spec.instanceId)).toEqual(moved)
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
      await provider.stop(spec.instanceId)
      await provider.move?.(spec.instanceId, first)
      expect(await provider.inspect(spec.instanceId)).toMatchObject({ state: 'stopped', location: first })
      expect(harness.countRunning(spec.instanceId)).toBe(0)
      await provider.start(spec.instanceId)
      expect((await waitForState(provider, spec.instanceId, 'running')).location).toBe(first)
    })

    test('one that crashed is moved and booted', async () => {
      if (!harness.members) return
      const [first, second] = harness.members
      spec = { ...spec, member: first }
      await bootInstance()
      await harness.crash(spec.instanceId)
      await waitForState(provider, spec.instanceId, 'failed')
      await provider.move?.(spec.instanceId, second)
      expect((await waitForState(provider, spec.instanceId, 'running')).location).toBe(second)
      expect(await provider.list(spec.deployment)).toEqual([spec.instanceId])
    })

    test('destroy leaves nothing, and is success for what is gone', async () => {
      await bootInstance()
      await provider.destroy(spec.instanceId)
      expect(harness.countRunning(spec.instanceId)).toBe(0)
      expect(await provider.inspect(spec.instanceId)).toMatchObject({ state: 'absent' })
      expect(await provider.list(spec.deployment)).toEqual([])
      await provider.destroy(spec.instanceId)
    })

    test('what another deployment made is not listed', async () => {
      await bootInstance()
      expect(await provider.list('somebody-else')).toEqual([])
    })

    test('keeps whose it is, with the largest number and its series, until another takes it over', async () => {
      const { claims } = provider
      const number = ((await claims?.read())?.number ?? 0) + 5
      await claims?.write({ deployment: spec.deployment, number, series: 3 })
      await Promise.all(
        [1, 2].map((less) => harness.open().claims?.write({ deployment: spec.deployment, number: number - less })),
      )
      expect(await harness.open().claims?.read()).toEqual({ deployment: spec.deployment, number, series: 3 })
      await claims?.write({ deployment: 'somebody-else', number: number + 1 })
      expect(await claims?.read()).toEqual({ deployment: 'somebody-else', number: number + 1 })
      await claims?.write({ deployment: spec.deployment, number: number + 2 })
    })

    test('destroy works on a stopped one', async () => {
      await bootInstance()
      await provider.stop(spec.instanceId)
      await provider.destroy(spec.instanceId)
      expect(await provider.inspect(spec.instanceId)).toMatchObject({ state: 'absent' })
    })

    test('start and stop of one that does not exist are refused for good', async () => {
      await expect(provider.start(spec.instanceId)).rejects.toMatchObject({ name: 'ProviderError', retryable: false })
      await expect(provider.stop(spec.instanceId)).rejects.toMatchObject({ name: 'ProviderError', retryable: false })
    })
  })
}
