import { describe, expect, test } from 'vitest'
import { createSelfHostProvider, type SelfHost } from './self-host-provider.ts'

const reporting: SelfHost = {
  enrolled: true,
  connected: true,
  silentForMs: 100,
  bootId: 'boot-1',
  port: 8080,
  machine: { address: '192.0.2.7' },
  network: null,
  leavingForMs: null,
  hasLeft: false,
}

function providerFor(host: SelfHost | undefined) {
  const requests: string[] = []
  const provider = createSelfHostProvider({
    hosts: {
      find: async () => host,
      requestRestart: async (_, boot) => void requests.push(`restart ${boot}`),
      requestLeave: async () => void requests.push('leave'),
    },
    silenceMs: 90_000,
    now: () => 1_000_000,
  })
  return { provider, requests }
}

const inspect = (host: SelfHost | undefined) => providerFor(host).provider.inspect('in_a')

describe('a host', () => {
  test.each([
    ['without a row', undefined, 'absent'],
    ['that has not come', { ...reporting, enrolled: false, connected: false, silentForMs: null }, 'awaited'],
    ['that enrolled just now', { ...reporting, bootId: null }, 'starting'],
    ['that reports', reporting, 'running'],
    ['away for 89 s', { ...reporting, connected: false, silentForMs: 89_000 }, 'running'],
    ['away for more than 90 s', { ...reporting, connected: false, silentForMs: 90_001 }, 'unreachable'],
    ['that was asked to leave', { ...reporting, leavingForMs: 1000 }, 'running'],
    ['that left', { ...reporting, leavingForMs: 1000, hasLeft: true }, 'absent'],
    ['that does not obey', { ...reporting, leavingForMs: 16_000 }, 'absent'],
    ['that is away when it is given up', { ...reporting, connected: false, leavingForMs: 1 }, 'absent'],
  ] as const)('%s is seen as such', async (_, host, state) => {
    expect((await inspect(host)).state).toBe(state)
  })

  test('that is away says when it counts as silent', async () => {
    const seen = await inspect({ ...reporting, connected: false, silentForMs: 30_000 })
    expect(seen.silentFrom?.getTime()).toBe(1_000_000 + 60_050)
    expect((await inspect(reporting)).silentFrom).toBeUndefined()
  })

  test('is reached where it listens for visitors, else at its own port', async () => {
    expect((await inspect(reporting)).address).toEqual({ host: '192.0.2.7', port: 8080 })
    const open = await inspect({ ...reporting, network: { port: 4880 } })
    expect(open.address).toEqual({ host: '192.0.2.7', port: 4880 })
  })

  test('is restarted once for a boot', async () => {
    const { provider, requests } = providerFor(reporting)
    await provider.restart('in_a', 'boot-1')
    await provider.restart('in_a', 'boot-0')
    expect(requests).toEqual(['restart boot-1'])
  })

  test('cannot be started or stopped from here', async () => {
    const { provider } = providerFor(reporting)
    await expect(provider.start('in_a')).rejects.toThrow('cannot be started')
    await expect(provider.stop('in_a')).rejects.toThrow('cannot be stopped')
  })
})
