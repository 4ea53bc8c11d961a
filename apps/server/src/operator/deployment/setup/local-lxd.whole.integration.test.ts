/** An LXD that setup made ready: the driver runs with its certificate, which can do nothing outside the project. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LxdServer, startLxdServer, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LxdSettings } from '../../../modules/catalog/lxd-settings.ts'
import { createLxdHarness } from '../../../modules/compute/drivers/lxd/testing/lxd-harness.ts'
import { testSpec, waitForState } from '../../../modules/compute/testing/provider-conformance.ts'
import { type LocalLxd, prepareLocalLxd } from './local-lxd.ts'

const missing = whyNoLxd()

describe.skipIf(missing)(missing ? `an LXD that setup made ready: ${missing}` : 'an LXD that setup made ready', () => {
  let server: LxdServer
  let place: LocalLxd
  const folder = mkdtempSync(join(tmpdir(), 'atoll-own-lxd-'))
  const prepare = () => prepareLocalLxd(async (...args) => server.daemon.run('lxc', args), place)
  const settings = () => ({
    endpoints: [place.endpoint],
    network: place.network,
    mailNetwork: place.mailNetwork,
    ...place.files,
  })
  beforeAll(async () => {
    server = await startLxdServer()
    const own = server.network.replace(/br$/, '')
    place = {
      network: `${own}m0`,
      mailNetwork: `${own}m1`,
      address: server.hostAddress.replace(/\.\d+\.1$/, '.251.1'),
      endpoint: `https://${server.hostAddress}:8443`,
      project: 'atoll',
      deployment: testSpec().deployment,
      files: { clientCert: join(folder, 'crt'), clientKey: join(folder, 'key'), serverCert: join(folder, 'server') },
      write: (path, text) => writeFileSync(path, text),
    }
    await prepare()
    await prepare()
  })
  afterAll(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true })
  })

  test('an instance is made, stopped, started and destroyed with the certificate of the project', async () => {
    const harness = createLxdHarness([server.daemon], settings())
    onTestFinished(() => harness.cleanUp())
    const provider = harness.open()
    const { instanceId, ...spec } = testSpec()
    await provider.ensureInstance({ instanceId, ...spec })
    const { address } = await waitForState(provider, instanceId, 'running')
    expect(address?.port).toBeGreaterThan(0)
    await provider.stop(instanceId)
    expect((await provider.inspect(instanceId)).state).toBe('stopped')
    await provider.start(instanceId)
    await waitForState(provider, instanceId, 'running')
    await provider.destroy(instanceId)
    expect((await provider.inspect(instanceId)).state).toBe('absent')
    expect(await provider.list(spec.deployment)).toEqual([])
  })

  test('the project keeps whose it is, and is not taken over: that needs the right to change projects', async () => {
    const harness = createLxdHarness([server.daemon], settings())
    onTestFinished(() => harness.cleanUp())
    const { claims } = harness.open()
    const claim = { deployment: testSpec().deployment, number: ((await claims?.read())?.number ?? 0) + 5, series: 3 }
    await claims?.write(claim)
    const takenOver = claims?.write({ deployment: 'somebody-else', number: claim.number + 1 })
    await expect(takenOver).rejects.toMatchObject({ name: 'ProviderError' })
    expect(await claims?.read()).toEqual(claim)
  })

  const inside = (id: string, command: string) => server.daemon.runInside(id.replace('_', '-'), ['sh', '-c', command])
  const canConnect = (id: string, host: string, port: number): boolean => {
    const connect = `require('net').connect(${port}, '${host}').setTimeout(5000, () => process.exit(1)).on('error', () => process.exit(2)).on('connect', () => process.exit(0))`
    try {
      server.daemon.runInside(id.replace('_', '-'), ['node', '-e', connect])
      return true
    } catch {
      return false
    }
  }

  test('the certificate reads and makes nothing outside its project', async () => {
    const { clientCert, clientKey, serverCert } = place.files
    const ask = (path: string) => {
      const options = ['-sk', '--cert', clientCert, '--key', clientKey, '--cacert', serverCert]
      return JSON.parse(execFileSync('curl', [...options, `${place.endpoint}${path}`], { encoding: 'utf8' }))
    }
    expect(ask('/1.0/instances?project=atoll')).toMatchObject({ status_code: 200 })
    expect(ask('/1.0/instances?project=default')).toMatchObject({ error_code: 403 })
  })

  test('outbound TCP 25 is closed until the account may send mail, and again when it may not or there is no open network', async () => {
    const harness = createLxdHarness([server.daemon], settings())
    onTestFinished(() => harness.cleanUp())
    const provider = harness.open()
    const spec = testSpec()
    for (const port of [25, 2525]) {
      const listener = createServer().listen(port, server.hostAddress)
      onTestFinished(() => void listener.close())
      await once(listener, 'listening')
    }
    const reaches = (port: number) => canConnect(spec.instanceId, server.hostAddress, port)
    await provider.ensureInstance(spec)
    await waitForState(provider, spec.instanceId, 'running')
    const seen = [[reaches(25), reaches(2525)]]
    for (const may of [true, false]) {
      await provider.allowMail?.(spec.instanceId, may)
      const { incarnation } = await provider.inspect(spec.instanceId)
      await provider.restart(spec.instanceId, incarnation ?? '')
      await waitForState(provider, spec.instanceId, 'running')
      seen.push([reaches(25), reaches(2525)])
    }
    expect(seen).toEqual([
      [false, true],
      [true, true],
      [false, true],
    ])

    // An operator takes the open network out of the catalogue.
    await provider.allowMail?.(spec.instanceId, true)
    const without = harness.open({ settings: LxdSettings.parse({ ...settings(), mailNetwork: undefined }) })
    await without.allowMail?.(spec.instanceId, true)
    const name = spec.instanceId.replace('_', '-')
    const card = ['config', 'device', 'get', name, 'eth0', 'network', '--project', place.project]
    expect(server.daemon.run('lxc', card).trim()).toBe(place.network)
  })

  test('instances of the two networks do not reach each other', async () => {
    const harness = createLxdHarness([server.daemon], settings())
    onTestFinished(() => harness.cleanUp())
    const provider = harness.open()
    const [closed, open] = [testSpec(), testSpec()]
    for (const { instanceId, ...spec } of [closed, open]) await provider.ensureInstance({ instanceId, ...spec })
    for (const { instanceId } of [closed, open]) await waitForState(provider, instanceId, 'running')
    await provider.allowMail?.(open.instanceId, true)
    const { incarnation } = await provider.inspect(open.instanceId)
    await provider.restart(open.instanceId, incarnation ?? '')
    await waitForState(provider, open.instanceId, 'running')
    const addressOf = (id: string) => until('it has an address', async () => (await provider.inspect(id)).address?.host)
    const addresses = { closed: await addressOf(closed.instanceId), open: await addressOf(open.instanceId) }
    for (const [{ instanceId }, address] of [
      [closed, addresses.closed],
      [open, addresses.open],
    ] as const) {
      const listening = "require('net').createServer().listen(2525)"
      inside(instanceId, `setsid node -e "${listening}" > /dev/null 2>&1 < /dev/null &`)
      await until('it listens', () => canConnect(instanceId, address, 2525))
    }
    expect(canConnect(closed.instanceId, addresses.open, 2525)).toBe(false)
    expect(canConnect(open.instanceId, addresses.closed, 2525)).toBe(false)
    expect(addresses.open.split('.').slice(0, 3)).not.toEqual(addresses.closed.split('.').slice(0, 3))
  })
})
