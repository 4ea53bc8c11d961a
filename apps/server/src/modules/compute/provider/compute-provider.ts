import type { Claims } from '../../../platform/careful/index.ts'

/**
 * The reconciler's interface to a provider of instances. Every method may be repeated at any time, by any process,
 * after any crash: the instance's own id is the key, so repeating never creates a second instance, and "already so" is
 * success.
 */
export interface ComputeProvider {
  /** The driver's name, as `driver` in the catalogue. */
  readonly name: string
  /** Makes the instance exist and boot. One that exists is left as it is, stopped ones too. */
  ensureInstance(spec: InstanceSpec): Promise<void>
  inspect(instanceId: string): Promise<Observed>
  /** Boots a stopped instance; its files are as they were. */
  start(instanceId: string): Promise<void>
  /** Resolves when it no longer runs: asked first, killed after a grace. */
  stop(instanceId: string): Promise<void>
  /** Boots it again unless its incarnation already differs from `from`, so a repeat does not boot it twice. */
  restart(instanceId: string, from: string): Promise<void>
  /**
   * Takes it to another member of its region, with its files: stopped, copied, and booted there if it should run; one
   * that is stopped stays so. A move that was begun goes on, and an instance that is there already is only booted. A
   * control plane that is killed meanwhile leaves it on one member. Absent: the driver has one machine.
   */
  move?(instanceId: string, member: string): Promise<void>
  /** Resolves when neither processes nor files are left; one that is gone already is success. */
  destroy(instanceId: string): Promise<void>
  /** Before a start: whether it may reach TCP port 25 elsewhere from then on; absent: as the network says. */
  allowMail?(instanceId: string, isAllowed: boolean): Promise<void>
  /** Ids of everything made for `deployment` that exists at the provider, running or not. */
  list(deployment: string): Promise<string[]>
  /** Undefined when the instance does not run. */
  usage(instanceId: string): Promise<InstanceUsage | undefined>
  /** The machines of a region, as they are now; absent: the driver cannot say. */
  capacity?(region: string): Promise<MemberCapacity[]>
  /**
   * Reports changes that were not requested here, if the provider announces them; `null`: some may have been missed.
   */
  watch?(onChange: (change: InstanceChange) => void): ProviderWatch
  /** Where the provider keeps whose instances these are. Without it nothing is swept there. */
  readonly claims?: Claims
}

/** A machine on which instances run. A lost one has only a name. */
export interface MemberCapacity {
  member: string
  /** `resting`: taken out of service on purpose. `lost`: does not answer. */
  state: 'online' | 'resting' | 'lost'
  cpuCores: number
  /** Cores at work, the mean of five minutes; null: not told. */
  cpuBusy: number | null
  /** Bytes. */
  memory: number
  memoryUsed: number
  disk: number
  diskUsed: number
  /** Instances that are on it; empty where the provider has one machine. */
  instanceIds: string[]
}

/** The instance that may have changed; null: any may have, because events may have been missed. */
export type InstanceChange = string | null

export interface ProviderWatch {
  stop(): Promise<void>
}

export interface InstanceSpec {
  instanceId: string
  clusterId: string
  /** Whose it is: several deployments may share a provider. */
  deployment: string
  /** `regionId` of the catalogue. */
  region: string
  cpuCoreCount: number
  memoryMiB: number
  diskMiB: number
  /** The member that it was placed on; null: the driver chooses. */
  member: string | null
  /** From the catalogue's version; its meaning is the driver's. */
  image: string
  /** Whether it may reach TCP port 25 elsewhere. */
  maySendMail: boolean
  enrollToken: string
  /** Where the instance reaches the control plane. */
  controlUrl: string
}

export interface Observed {
  /**
   * `absent`: nothing of it exists. `queued`: accepted, waits for room. `starting`: boots, answers nothing yet.
   * `failed`: it should run and does not; `reason` says why where that is known. `unreachable`: it exists, and the
   * member that holds it cannot be asked; it may well run. That is not a failure: it is waited for.
   * `awaited`: a host that has not come yet.
   */
  state: 'absent' | 'queued' | 'starting' | 'running' | 'stopped' | 'failed' | 'unreachable' | 'awaited'
  address: { host: string; port: number } | null
  /** In words for a person. */
  reason: string | null
  /** Differs from one boot to the next; null while it does not run. */
  incarnation: string | null
  /** Name of the member that holds it, where the provider has several. */
  location?: string
  /** It runs as far as anybody knows, but says nothing now: from then on it counts as `unreachable`. */
  silentFrom?: Date
}

export interface InstanceUsage {
  /** CPU time since boot, s. */
  cpuSeconds: number
  /** Bytes. */
  memoryUsed: number
}

export const absent: Observed = { state: 'absent', address: null, reason: null, incarnation: null }

/**
 * The provider said no, or could not be asked. `retryable: false` means that asking again will not help until a person
 * changes something (no such image, disk full); anything else thrown by a driver is taken as retryable.
 */
export class ProviderError extends Error {
  readonly retryable: boolean
  /** `soldOut`: there is no room for this size. Undefined: the message says it all. */
  readonly kind: 'soldOut' | undefined

  constructor(message: string, options: { retryable: boolean; kind?: 'soldOut'; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.retryable = options.retryable
    this.kind = options.kind
  }
}
