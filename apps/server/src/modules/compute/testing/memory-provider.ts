import type { Claim } from '../../../platform/careful/index.ts'
import {
  absent,
  type ComputeProvider,
  type InstanceSpec,
  type Observed,
  ProviderError,
} from '../provider/compute-provider.ts'

/** One instance of the simulated world. */
export interface MemoryInstance {
  spec: InstanceSpec
  state: 'running' | 'stopped' | 'failed'
  /** How often it was booted. */
  boots: number
}

/** Instances in memory, shared by every driver opened on it. */
export type MemoryHarness = Map<string, MemoryInstance>

const claims = new WeakMap<MemoryHarness, Claim>()

/** A well-behaved provider that holds its instances in `harness`; faults come from `faultyProvider`. */
export function createMemoryProvider(harness: MemoryHarness): ComputeProvider {
  function get(instanceId: string): MemoryInstance {
    const instance = harness.get(instanceId)
    if (!instance) throw new ProviderError('The instance does not exist', { retryable: false })
    return instance
  }
  function boot(instance: MemoryInstance): void {
    instance.state = 'running'
    instance.boots += 1
  }
  function observe(instanceId: string): Observed {
    const instance = harness.get(instanceId)
    if (!instance) return absent
    const { member } = instance.spec
    const located = member === null ? {} : { location: member }
    if (instance.state !== 'running') {
      return {
        ...absent,
        ...located,
        state: instance.state,
        reason: instance.state === 'failed' ? 'It crashed.' : null,
      }
    }
    const address = { host: '127.0.0.1', port: 40_000 }
    return { ...located, state: 'running', address, reason: null, incarnation: `boot-${instance.boots}` }
  }
  return {
    name: 'memory',
    async ensureInstance(spec) {
      if (!harness.has(spec.instanceId)) {
        const instance: MemoryInstance = { spec: { ...spec }, state: 'stopped', boots: 0 }
        harness.set(spec.instanceId, instance)
        boot(instance)
      }
    },
    async inspect(instanceId) {
      return observe(instanceId)
    },
    async start(instanceId) {
      const instance = get(instanceId)
      if (instance.state !== 'running') boot(instance)
    },
    async stop(instanceId) {
      get(instanceId).state = 'stopped'
    },
    async restart(instanceId, from) {
      const instance = get(instanceId)
      if (instance.state === 'running' && observe(instanceId).incarnation !== from) return
      boot(instance)
    },
    async allowMail(instanceId, isAllowed) {
      get(instanceId).spec.maySendMail = isAllowed
    },
    async move(instanceId, member) {
      const instance = get(instanceId)
      const hasMoved = instance.spec.member !== member
      instance.spec.member = member
      if (instance.state !== 'stopped' && (hasMoved || instance.state === 'failed')) boot(instance)
    },
    async destroy(instanceId) {
      harness.delete(instanceId)
    },
    async list(deployment) {
      return [...harness].filter(([, { spec }]) => spec.deployment === deployment).map(([id]) => id)
    },
    claims: {
      read: async () => claims.get(harness),
      async write(claim) {
        const before = claims.get(harness)
        if (before?.deployment === claim.deployment && before.number >= claim.number) return
        claims.set(harness, claim)
      },
    },
    async usage(instanceId) {
      return harness.get(instanceId)?.state === 'running' ? { cpuSeconds: 1, memoryUsed: 1024 } : undefined
    },
  }
}
