import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type LxdServer, startLxdServer, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LxdSettings } from '../../../catalog/lxd-settings.ts'
import { imageFolder } from '../../compute.ts'
import type { InstanceChange, InstanceSpec } from '../../provider/compute-provider.ts'
import { testSpec, waitForState } from '../../testing/provider-conformance.ts'
import { createLxdHarness, type LxdHarness } from './testing/lxd-harness.ts'

const missing = whyNoLxd()

describe.skipIf(missing)(missing ? `driver lxd: ${missing}` : 'driver lxd', () => {
  let server: LxdServer
  const settings = () => ({ endpoints: [server.daemon.socket], network: server.network })
  beforeAll(async () => {
    server = await startLxdServer()
  })
  afterAll(() => server?.dispose())

  describe('on one machine', () => {
    let harness: LxdHarness
    let spec: InstanceSpec
    beforeEach(() => {
      harness = createLxdHarness([server.daemon], settings())
      spec = { ...testSpec(), cpuCoreCount: 1, memoryMiB: 256 }
    })
    afterEach(() => harness.cleanUp())

    const inside = (...command: string[]) => server.daemon.runInside(spec.instanceId.replace('_', '-'), command)

    test('enforces the limits of the offering, passes them to the agent, and hides the token from other users', async () => {
      const provider = harness.open()
      await provider.ensureInstance(spec)
      await waitForState(provider, spec.instanceId, 'running')
      expect(inside('nproc').trim()).toBe('1')
      const environment = inside('cat', '/opt/atoll/agent.env')
      expect(environment).toContain('ATOLL_AGENT_CPU_COUNT=1\n')
      expect(environment).toContain('ATOLL_AGENT_MEMORY_MIB=256\n')
      expect(environment).toContain(`ATOLL_AGENT_ENROLL_TOKEN=${spec.enrollToken}\n`)
      expect(inside('stat', '-c', '%a %U', '/opt/atoll/agent.env').trim()).toBe('600 root')
      expect(inside('ps')).not.toContain(spec.enrollToken)
      // More than it has: the kernel ends that program, and neither the instance nor the machine.
      const greedy = 'const held = []; for (;;) held.push(Buffer.alloc(16 << 20, 1))'
      expect(() => inside('node', '-e', greedy)).toThrow(/137|Command failed/)
      expect((await provider.inspect(spec.instanceId)).state).toBe('running')
      expect((await provider.usage(spec.instanceId))?.memoryUsed).toBeLessThanOrEqual(256 * 1024 * 1024)
    })

    test('keeps instances from each other, and from addresses that are not theirs', async () => {
      const provider = harness.open()
      const neighbour = testSpec()
      await Promise.all([provider.ensureInstance(spec), provider.ensureInstance(neighbour)])
      const { address } = await waitForState(provider, neighbour.instanceId, 'running')
      await waitForState(provider, spec.instanceId, 'running')
      const reaches = (host: string, port: number) => {
        const program = `require('net').connect(${port}, '${host}').setTimeout(1500, () => process.exit(1)).on('error', () => process.exit(2)).on('connect', () => process.exit(0))`
        try {
          inside('node', '-e', program)
          return true
        } catch {
          return false
        }
      }
      const control = createServer().listen(0, server.hostAddress)
      await once(control, 'listening')
      const { port } = control.address() as AddressInfo // a TCP server
      expect(reaches(server.hostAddress, port)).toBe(true)
      expect(reaches(address?.host ?? '', address?.port ?? 0)).toBe(false)
      inside('ip', 'address', 'add', `${server.hostAddress.replace(/1$/, '77')}/24`, 'dev', 'eth0')
      inside('ip', 'route', 'replace', server.hostAddress, 'dev', 'eth0', 'src', server.hostAddress.replace(/1$/, '77'))
      expect(reaches(server.hostAddress, port)).toBe(false)
      control.close()
    })

    test.each([60, 300])(
      'a control plane killed after %i ms of ensureInstance leaves one instance or none, and repeating makes it one',
      async (ms) => {
        const script = `
          const { createLxdProvider } = await import(${JSON.stringify(new URL('lxd-provider.ts', import.meta.url).href)})
          const { LxdSettings } = await import(${JSON.stringify(new URL('../../../catalog/lxd-settings.ts', import.meta.url).href)})
          const log = { warn() {}, info() {}, error() {}, debug() {} }
          const settings = LxdSettings.parse(${JSON.stringify(settings())})
          const provider = createLxdProvider({ settings, log, imageFolder: ${JSON.stringify(imageFolder)}, membersOf: () => undefined })
          await provider.list('conformance')
          setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})
          await provider.ensureInstance(${JSON.stringify(spec)})
          process.kill(process.pid, 'SIGKILL')`
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
        const [, signal] = await once(child, 'exit')
        expect(signal).toBe('SIGKILL')
        const provider = harness.open()
        // As a reconciler does: what exists is not made again, what should run and does not is started.
        if ((await provider.inspect(spec.instanceId)).state === 'absent') await provider.ensureInstance(spec)
        const { state } = await provider.inspect(spec.instanceId)
        if (state === 'failed' || state === 'stopped') await provider.start(spec.instanceId)
        await waitForState(provider, spec.instanceId, 'running')
        expect(await provider.list('conformance')).toEqual([spec.instanceId])
        expect(harness.countRunning(spec.instanceId)).toBe(1)
      },
    )

    test('the daemon may be killed and started: instances run on, are found again, and nothing is missed', async () => {
      const provider = harness.open()
      const changes: InstanceChange[] = []
      const watch = provider.watch?.((change) => changes.push(change))
      try {
        await provider.ensureInstance(spec)
        const before = await waitForState(provider, spec.instanceId, 'running')
        await until('its start is reported', () => changes.includes(spec.instanceId))
        await server.daemon.kill()
        await expect(provider.inspect(spec.instanceId)).rejects.toMatchObject({
          name: 'ProviderError',
          retryable: true,
          message: expect.stringContaining('does not answer'),
        })
        expect(harness.countRunning(spec.instanceId)).toBe(1)
        const count = changes.length
        await server.daemon.start()
        expect(await provider.inspect(spec.instanceId)).toEqual(before)
        await until('everything is announced as perhaps changed', () => changes.slice(count).includes(null))
        await harness.crash(spec.instanceId)
        await until('its end is reported', () => changes.slice(count).includes(spec.instanceId))
        await waitForState(provider, spec.instanceId, 'failed')
      } finally {
        await watch?.stop()
      }
    })

    test('a certificate that is restricted to the project can keep the claim', async () => {
      const { daemon, hostAddress, folder, network } = server
      const [clientCert, clientKey] = [join(folder, 'restricted.crt'), join(folder, 'restricted.key')]
      const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1', '-sha384', '-nodes', '-days', '2']
      execFileSync(
        'openssl',
        ['req', '-x509', ...kind, '-subj', '/CN=atoll', '-keyout', clientKey, '-out', clientCert],
        {
          stdio: 'pipe',
        },
      )
      const address = `${hostAddress}:8443`
      const number = ((await harness.open().claims?.read())?.number ?? 0) + 1
      await harness.open().claims?.write({ deployment: spec.deployment, number })
      daemon.run('lxc', ['config', 'set', `core.https_address=${address}`])
      daemon.run('lxc', ['config', 'trust', 'add', clientCert, '--restricted', '--projects', 'atoll'])
      const serverCert = join(folder, 'lxd', 'server.crt')
      const restricted = harness.open({
        settings: LxdSettings.parse({ endpoints: [`https://${address}`], clientCert, clientKey, serverCert, network }),
      })
      await restricted.claims?.write({ deployment: spec.deployment, number: number + 1 })
      expect(await restricted.claims?.read()).toEqual({ deployment: spec.deployment, number: number + 1 })
    })

    test('says for good what no repetition mends', async () => {
      const provider = harness.open()
      const refusal = (message: RegExp) => ({
        name: 'ProviderError',
        retryable: false,
        message: expect.stringMatching(message),
      })
      await expect(provider.ensureInstance({ ...spec, image: 'unheard-of' })).rejects.toMatchObject(
        refusal(/no image "unheard-of"/),
      )
      const unbuilt = harness.open({ imageFolder: '/nonexistent' })
      await expect(unbuilt.ensureInstance(spec)).rejects.toMatchObject(refusal(/npm run image:build/))
      await expect(provider.ensureInstance({ ...spec, deployment: 'another' })).rejects.toMatchObject(
        refusal(/belongs to another deployment/),
      )
      expect(await provider.list('conformance')).toEqual([])
    })
  })
})
