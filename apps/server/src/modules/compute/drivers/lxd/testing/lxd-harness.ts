import type { LxdDaemon } from '@atoll/testkit'
import { until } from '@atoll/testkit'
import { silentLog } from '../../../../../platform/log.ts'
import { LxdSettings } from '../../../../catalog/lxd-settings.ts'
import { imageFolder } from '../../../compute.ts'
import type { ProviderUnderTest } from '../../../testing/provider-conformance.ts'
import { createLxdProvider, type LxdProviderOptions } from '../lxd-provider.ts'

type LxdProvider = ReturnType<typeof createLxdProvider>

export interface LxdHarness extends ProviderUnderTest {
  open(options?: Partial<LxdProviderOptions>): LxdProvider
  /** Pid of the init of an instance's container, and the daemon that has it. */
  find(instanceId: string): { init: number; daemon: LxdDaemon } | undefined
}

/** The instances of a test on LXDs that outlive it. `settings` as in a catalogue. */
export function createLxdHarness(daemons: readonly LxdDaemon[], settings: Record<string, unknown>): LxdHarness {
  const opened: LxdProvider[] = []
  const { project, ...parsed } = LxdSettings.parse(settings)
  const open: LxdHarness['open'] = (options = {}) => {
    const provider = createLxdProvider({
      settings: { project, ...parsed },
      log: silentLog,
      imageFolder,
      membersOf: () => undefined,
      ...options,
    })
    opened.push(provider)
    return provider
  }
  const find: LxdHarness['find'] = (instanceId) => {
    const name = `${project}_${instanceId.replace('_', '-')}`
    for (const daemon of daemons) {
      const init = daemon.containers().get(name)
      if (init !== undefined) return { init, daemon }
    }
    return undefined
  }
  return {
    open,
    find,
    countRunning: (instanceId) => (find(instanceId) ? 1 : 0),
    async crash(instanceId) {
      process.kill((await until('its container runs', () => find(instanceId))).init, 'SIGKILL')
    },
    async cleanUp() {
      const provider = open()
      // A member that has just come back answers late: asked again, as the control plane does.
      await until('no instance of the test is left', async () => {
        for (const id of await provider.list('conformance')) await provider.destroy(id)
        return true
      })
      for (const each of opened) await each.close()
    },
  }
}
