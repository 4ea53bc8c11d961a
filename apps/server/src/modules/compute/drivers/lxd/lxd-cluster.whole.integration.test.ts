import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type LxdCluster, startLxdCluster, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ComputeProvider, InstanceChange, InstanceSpec, Observed } from '../../provider/compute-provider.ts'
import { describeProvider, testSpec, waitForState } from '../../testing/provider-conformance.ts'
import { createLxdHarness, type LxdHarness } from './testing/lxd-harness.ts'

const missing = whyNoLxd()

describe.skipIf(missing)(missing ? `driver lxd: ${missing}` : 'driver lxd on a cluster of three, over HTTPS', () => {
  let cluster: LxdCluster
  beforeAll(async () => {
    cluster = await startLxdCluster()
  })
  afterAll(() => cluster?.dispose())

  function createHarness(): LxdHarness {
    const { members, endpoints, clientCert, clientKey, serverCert, bridge } = cluster
    return createLxdHarness(members, { endpoints, clientCert, clientKey, serverCert, bridge })
  }

  describeProvider('lxd cluster', async () => ({ ...createHarness(), members: ['n1', 'n2'] }))

  test('a control plane killed during a move leaves the instance on one member, and repeating brings it there', async () => {
    const harness = createHarness()
    try {
      const provider = harness.open()
      const spec = { ...testSpec(), member: 'n1' }
      await provider.ensureInstance(spec)
      await waitForState(provider, spec.instanceId, 'running')
      const { endpoints, clientCert, clientKey, serverCert, bridge } = cluster
      const settings = { endpoints, clientCert, clientKey, serverCert, bridge }
      const script = `
        const { createLxdProvider } = await import(${JSON.stringify(new URL('lxd-provider.ts', import.meta.url).href)})
        const { LxdSettings } = await import(${JSON.stringify(new URL('../../../catalog/lxd-settings.ts', import.meta.url).href)})
        const log = { warn() {}, info() {}, error() {}, debug() {} }
        const settings = LxdSettings.parse(${JSON.stringify(settings)})
        const provider = createLxdProvider({ settings, log, imageFolder: '/nonexistent', membersOf: () => undefined })
        await provider.inspect(${JSON.stringify(spec.instanceId)})
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), 400)
        await provider.move(${JSON.stringify(spec.instanceId)}, 'n2')
        process.kill(process.pid, 'SIGKILL')`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
      // As the reconciler does: what is being copied is waited for, what is not there yet is moved.
      await until('it runs on the other member', async () => {
        const { state, location } = await provider.inspect(spec.instanceId)
        if (state === 'running' && location === 'n2') return true
        expect(['starting', 'running', 'failed']).toContain(state)
        if (state !== 'starting') await provider.move?.(spec.instanceId, 'n2')
        return false
      })
      expect(await provider.list('conformance')).toEqual([spec.instanceId])
      expect(harness.countRunning(spec.instanceId)).toBe(1)
    } finally {
      await harness.cleanUp()
    }
  })

  test('an operator may take a member out of service and back: instances stay on it, and never seem ended', async () => {
    const harness = createHarness()
    try {
      const provider = harness.open({ membersOf: () => ['n2'] })
      const specs = [testSpec(), testSpec()]
      await Promise.all(specs.map((spec) => provider.ensureInstance(spec)))
      const seen = new Set<string>()
      const all = async (state: Observed['state']) => {
        for (const { instanceId } of specs)
          expect((await waitForState(provider, instanceId, state)).location).toBe('n2')
      }
      await all('running')
      for (const [order, then] of [
        ['evacuate', 'unreachable'],
        ['restore', 'running'],
      ] as const) {
        const env = { ...process.env, LXD_DIR: cluster.members[0]?.folder }
        const child = spawn('lxc', ['cluster', order, 'n2', '--force'], { env, stdio: 'ignore' })
        const ended = once(child, 'exit')
        while (child.exitCode === null)
          for (const { instanceId } of specs) seen.add((await provider.inspect(instanceId)).state)
        expect((await ended)[0]).toBe(0)
        await all(then)
      }
      expect(['failed', 'stopped', 'absent'].filter((state) => seen.has(state))).toEqual([])
      for (const { instanceId } of specs) expect(harness.countRunning(instanceId)).toBe(1)
    } finally {
      await harness.cleanUp()
    }
  })

  describe('with a member that is lost', () => {
    let harness: LxdHarness
    let provider: ComputeProvider
    const changes: InstanceChange[] = []
    let stopWatching: () => Promise<void>
    const regions: Record<string, string[]> = { third: ['n3'], 'second or third': ['n2', 'n3'] }
    const onThird: InstanceSpec = { ...testSpec(), region: 'third' }
    let address: unknown
    const third = () => cluster.members[2]

    beforeAll(async () => {
      harness = createHarness()
      provider = harness.open({ membersOf: (region) => regions[region] })
      const watch = provider.watch?.((change) => changes.push(change))
      stopWatching = async () => await watch?.stop()
      await provider.ensureInstance(onThird)
      const observed = await waitForState(provider, onThird.instanceId, 'running')
      expect(observed.location).toBe('n3')
      address = observed.address
      changes.length = 0
      // As a machine without power or network: its daemon is gone and its containers are silent.
      await third()?.kill()
      cluster.setLink('n3', 'down')
    })
    afterAll(async () => {
      await stopWatching?.()
      await harness?.cleanUp()
    })

    test('its instance is unreachable, by name, and neither absent nor failed', async () => {
      const observed = await waitForState(provider, onThird.instanceId, 'unreachable')
      expect(observed).toMatchObject({ address: null, incarnation: null, location: 'n3' })
      expect(observed.reason).toContain('"n3"')
      await until('that everything may have changed is reported', () => changes.includes(null))
      expect(await provider.list('conformance')).toContain(onThird.instanceId)
    })

    test('what is asked of its instance is put off, not done', async () => {
      for (const ask of [provider.stop, provider.start, provider.destroy]) {
        await expect(ask(onThird.instanceId)).rejects.toMatchObject({
          name: 'ProviderError',
          retryable: true,
          message: expect.stringContaining('"n3"'),
        })
      }
      await provider.ensureInstance(onThird)
      expect(await provider.inspect(onThird.instanceId)).toMatchObject({ state: 'unreachable' })
    })

    test('when it is back, its instance is found again as it was', async () => {
      changes.length = 0
      cluster.setLink('n3', 'up')
      await third()?.start()
      const observed = await waitForState(provider, onThird.instanceId, 'running')
      expect(observed).toMatchObject({ location: 'n3', address })
      await until('that everything may have changed is reported', () => changes.includes(null))
      await provider.destroy(onThird.instanceId)
      expect((await provider.inspect(onThird.instanceId)).state).toBe('absent')
    })

    test('any member may be the one that is lost: another is asked', async () => {
      const spec = { ...testSpec(), region: 'second or third' }
      await provider.ensureInstance(spec)
      await waitForState(provider, spec.instanceId, 'running')
      await cluster.members[0]?.kill()
      try {
        // LXD elects another leader first.
        const observed = await until('the rest of the cluster answers', async () => {
          const { state } = await provider.inspect(spec.instanceId)
          return state === 'running'
        })
        expect(observed).toBe(true)
      } finally {
        await cluster.members[0]?.start()
      }
    })
  })
})
