import { describe, expect, test } from 'vitest'
import { boundProvider } from '../provider/bounded-provider.ts'
import { type Fault, faultyProvider } from './faulty-provider.ts'
import { createMemoryProvider, type MemoryHarness } from './memory-provider.ts'
import { describeProvider, type ProviderUnderTest, testSpec } from './provider-conformance.ts'

function createHarness(fault?: Fault): ProviderUnderTest {
  const harness: MemoryHarness = new Map()
  return {
    open: () =>
      boundProvider(
        faultyProvider(createMemoryProvider(harness), () => fault, 5),
        1000,
      ),
    members: ['first', 'second'],
    countRunning: (instanceId) => (harness.get(instanceId)?.state === 'running' ? 1 : 0),
    async crash(instanceId) {
      const instance = harness.get(instanceId)
      if (instance) instance.state = 'failed'
    },
    cleanUp: async () => harness.clear(),
  }
}

describeProvider('memory', async () => createHarness())
describeProvider('memory, each call taking effect twice', async () => createHarness('twice'))
describeProvider('memory, each call late', async () => createHarness('late'))

describe('a bounded provider', () => {
  test.each(['never', 'lost'] as const)('ends a call that is %s answered', async (fault) => {
    const harness: MemoryHarness = new Map()
    const provider = boundProvider(
      faultyProvider(createMemoryProvider(harness), () => fault),
      20,
    )
    const spec = testSpec()
    await expect(provider.ensureInstance(spec)).rejects.toMatchObject({
      name: 'ProviderError',
      retryable: true,
      message: 'memory did not answer "create" within 0.02 s',
    })
    expect(harness.has(spec.instanceId)).toBe(fault === 'lost')
  })
})
