/** The parts of LXD's answers (API version 1.0) that are read, and the error for its refusals. */
import { z } from 'zod'

export const Envelope = z.object({
  type: z.enum(['sync', 'async', 'error']),
  operation: z.string().default(''),
  error_code: z.number().default(0),
  error: z.string().default(''),
  metadata: z.unknown().optional(),
})

/** `status_code`: below 200 it runs, 200 it succeeded, from 400 it failed or was cancelled. */
export const Operation = z.object({ status_code: z.number(), err: z.string() })

/** By their state; left out where there is none. */
export const Operations = z.object({
  running: z
    .array(
      z.object({
        description: z.string(),
        /** Paths of what it is about, by their kind. */
        resources: z.record(z.string(), z.array(z.string())).nullish(),
        /** Member that does it. */
        location: z.string().optional(),
        /**
         * `evacuation_progress`: what emptying or filling a member is at, with the name of the container in quotes.
         */
        metadata: z.object({ evacuation_progress: z.string().optional() }).nullish(),
      }),
    )
    .default([]),
})

const Address = z.object({ family: z.string(), address: z.string(), scope: z.string() })

export const InstanceState = z.object({
  pid: z.number(),
  cpu: z.object({ usage: z.number() }),
  memory: z.object({ usage: z.number() }),
  /** Null while it does not run. */
  network: z.record(z.string(), z.object({ addresses: z.array(Address).nullable() })).nullable(),
})

const Devices = z.record(z.string(), z.record(z.string(), z.string()))

export const Instance = z.object({
  name: z.string(),
  status: z.string(),
  config: z.record(z.string(), z.string()),
  devices: Devices,
  /** Of itself and of its profiles. */
  expanded_devices: Devices,
  /** Member that holds it; `none` without a cluster. */
  location: z.string(),
  /** 1970 for one that never ran. */
  last_used_at: z.string(),
  state: InstanceState.nullable(),
})
export type Instance = z.output<typeof Instance>

/** Of an instance on a member that cannot be asked LXD knows only this much. */
export const InstanceGlance = z.object({ name: z.string(), status: z.string(), location: z.string() })

export const Server = z.object({
  auth: z.string(),
  environment: z.object({ server_clustered: z.boolean(), server_name: z.string() }),
})

export const Member = z.object({ server_name: z.string(), status: z.string(), message: z.string() })
export type Member = z.output<typeof Member>

export const Project = z.object({ config: z.record(z.string(), z.string()) })
export const Image = z.object({ fingerprint: z.string() })
export const ImageAlias = z.object({ target: z.string() })

/** A change that LXD announces. */
export const LifecycleEvent = z.object({
  type: z.literal('lifecycle'),
  project: z.string().default('default'),
  metadata: z.object({ action: z.string(), source: z.string() }),
})

/** LXD said no (`status` as in HTTP), or could not be asked (`status` 0). */
export class LxdError extends Error {
  readonly status: number

  constructor(message: string, options: { status: number; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'LxdError'
    this.status = options.status
  }

  /** Another operation on the same instance runs: the same request will be accepted when that has ended. */
  get isBusy(): boolean {
    return /is busy running|matching non-reusable operation/i.test(this.message)
  }

  get isConflict(): boolean {
    return this.status === 409 || /already exists|UNIQUE constraint/i.test(this.message)
  }
}
