import { type LxdServer, startLxdServer, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { silentLog } from '../../../../platform/log.ts'
import { imageFolder } from '../../compute.ts'
import { describeProvider, type ProviderUnderTest } from '../../testing/provider-conformance.ts'
import { createLxdProvider } from './lxd-provider.ts'
import { LxdSettings } from './lxd-settings.ts'

const missing = whyNoLxd()

describe.skipIf(missing !== undefined)(missing ? `driver lxd: ${missing}` : 'driver lxd', () => {
  let server: LxdServer
  beforeAll(async () => {
    server = await startLxdServer()
  })
  afterAll(() => server?.dispose())

  async function createWorld(): Promise<ProviderUnderTest> {
    const { daemon, network } = server
    const settings = LxdSettings.parse({ endpoints: [daemon.socket], network })
    const opened: { close(): Promise<void> }[] = []
    const open = () => {
      const provider = createLxdProvider({ settings, log: silentLog, imageFolder, membersOf: () => undefined })
      opened.push(provider)
      return provider
    }
    const initOf = (instanceId: string) => daemon.containers().get(`atoll_${instanceId.replace('_', '-')}`)
    return {
      open,
      countRunning: (instanceId) => (initOf(instanceId) === undefined ? 0 : 1),
      async crash(instanceId) {
        process.kill(await until('the container runs', () => initOf(instanceId)), 'SIGKILL')
      },
      async cleanUp() {
        const provider = open()
        for (const id of await provider.list('conformance')) await provider.destroy(id)
        for (const each of opened) await each.close()
      },
    }
  }

  describeProvider('lxd', createWorld)
})
