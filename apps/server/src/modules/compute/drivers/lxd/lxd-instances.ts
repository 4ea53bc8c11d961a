/**
 * Mapping of our instances to LXD. The name is derived from the id, so a repeated creation finds the instance. Data
 * that the driver needs later is in the instance's configuration (`user.atoll.*`): LXD stores it together with the
 * instance, and the image's template turns it into the agent's environment at each boot, so neither ever exists without
 * the other.
 */
import { absent, type InstanceSpec, type Observed } from '../../provider/compute-provider.ts'
import type { Instance } from './lxd-answers.ts'

/** Port of the personal server in an instance; the image says so to the agent. */
const agentPort = 8080
/** The share of the memory that the agent may use for its own objects; the rest is for the system and file buffers. */
const heapShare = 0.5
const largestHeapMiB = 4096

export type Desired = 'running' | 'stopped'
/** The desired state of the instance: tells a stop that was requested from an instance that ended otherwise. */
export const desiredKey = 'user.atoll.wanted'
/** On the project and on each instance: whose they are. */
export const deploymentKey = 'user.atoll.deployment'

const safeId = /^in_[a-z0-9]{4,50}$/
const ourName = /^in-[a-z0-9]{4,50}$/

/** LXD allows no underscore. */
export function nameOfInstance(instanceId: string): string {
  if (!safeId.test(instanceId)) throw new Error('Not an instance id')
  return instanceId.replace('_', '-')
}

/** Undefined for a name that none of our instances can have. */
export function idOfName(name: string): string | undefined {
  return ourName.test(name) ? name.replace('-', '_') : undefined
}

export function configOf(spec: InstanceSpec, controlUrl: string): Record<string, string> {
  const heap = Math.min(largestHeapMiB, Math.max(64, Math.floor(spec.memoryMiB * heapShare)))
  return {
    'limits.cpu': String(spec.cpuCoreCount),
    'limits.memory': `${spec.memoryMiB}MiB`,
    [deploymentKey]: spec.deployment,
    [desiredKey]: 'running' satisfies Desired,
    'user.atoll.instance': spec.instanceId,
    'user.atoll.cluster': spec.clusterId,
    'user.atoll.region': spec.region,
    'user.atoll.control-url': controlUrl,
    'user.atoll.enroll-token': spec.enrollToken,
    'user.atoll.cpu-count': String(spec.cpuCoreCount),
    'user.atoll.memory-mib': String(spec.memoryMiB),
    'user.atoll.disk-mib': String(spec.diskMiB),
    'user.atoll.heap-mib': String(heap),
  }
}

/** A stopped instance that never ran: its creation was interrupted before the boot. */
export function neverRan(instance: Instance): boolean {
  return new Date(instance.last_used_at).getTime() <= 0
}

export function observe(instance: Instance): Observed {
  const location = instance.location === 'none' ? {} : { location: instance.location }
  const incarnation = `${instance.state?.pid ?? 0}:${instance.last_used_at}`
  switch (instance.status) {
    case 'Running': {
      const host = addressOf(instance)
      if (!host) return { ...absent, ...location, state: 'starting', incarnation }
      return { ...location, state: 'running', address: { host, port: agentPort }, reason: null, incarnation }
    }
    case 'Starting':
      return { ...absent, ...location, state: 'starting' }
    case 'Frozen':
      return { ...absent, ...location, state: 'failed', reason: 'It was frozen.' }
    case 'Error':
      return unreachable(instance.location)
    default:
      if (instance.config[desiredKey] === 'stopped') return { ...absent, ...location, state: 'stopped' }
      return { ...absent, ...location, state: 'failed', reason: 'Its container ended.' }
  }
}

/** `location` is where LXD says it is. */
export function unreachable(location: string): Observed {
  const reason = `Its host "${location}" cannot be reached. The instance comes back when the host does.`
  return { ...absent, state: 'unreachable', reason, location }
}

/** The address in the network of instances. IPv6 only without the other: the edge reaches both. */
function addressOf({ state }: Instance): string | undefined {
  const addresses = (state?.network?.['eth0']?.addresses ?? []).filter(({ scope }) => scope === 'global')
  return (addresses.find(({ family }) => family === 'inet') ?? addresses[0])?.address
}
