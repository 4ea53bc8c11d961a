import { describe, expect, test } from 'vitest'
import { boundProvider } from '../provider/bounded-provider.ts'
import { type Fault, faultyProvider } from './faulty-provider.ts'
import { createMemoryProvider, type MemoryWorld } from './memory-provider.ts'
import { describeProvider, type ProviderUnderTest, testSpec } from './provider-conformance.ts'

function createWorld(fault?: Fault): ProviderUnderTest {
  const world: MemoryWorld = new Map()
  return {
    open: () =>
      boundProvider(
        faultyProvider(createMemoryProvider(world), () => fault, 5),
        1000,
      ),
    countRunning: (instanceId) => (world.get(instanceId)?.state === 'running' ? 1 : 0),
    async crash(instanceId) {
      const instance = world.get(instanceId)
      if (instance) instance.state = 'failed'
    },
    cleanUp: async () => world.clear(),
  }
}

describeProvider('memory', async () => createWorld())
describeProvider('memory, each call taking effect twice', async () => createWorld('twice'))
describeProvider('memory, each call late', async () => createWorld('late'))

describe('a bounded provider', () => {
  test.each(['never', 'lost'] as const)('ends a call that is %s answered', async (fault) => {
    const world: MemoryWorld = new Map()
    const provider = boundProvider(
      faultyProvider(createMemoryProvider(world), () => fault),
      20,
    )
    const spec = testSpec()
    await expect(provider.ensureInstance(spec)).rejects.toMatchObject({
      name: 'ProviderError',
      retryable: true,
      message: 'memory did not answer "create" within 0.02 s',
    })
    expect(world.has(spec.instanceId)).toBe(fault === 'lost')
  })
})
