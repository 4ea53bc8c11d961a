/** `/v1/operator/capacity`: the machines of each region, what they have and what is sold of them. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime, WireBool } from '../wire/fields.ts'
import { actFields } from './approvals.ts'
import { CatalogHash } from './system.ts'
import { byOperator, readByStaff } from './who-calls.ts'

/** vCPU, and MiB of memory and disk. */
const Amounts = z.object({ cpu: z.number(), memory: z.number(), disk: z.number() })

const DrainId = z.string().regex(/^dr_[a-z0-9]{8,40}$/)
/** `noRoom`: for what is left; `over`: its window is; `left`: the rest cannot be moved. */
export const drainStates = ['running', 'done', 'noRoom', 'over', 'left', 'stopped'] as const
/** The longest window, and how long one without an end lasts, ms. */
export const longestDrainMs = 7 * 24 * 60 * 60_000
export const usualDrainMs = 24 * 60 * 60_000

const machineStates = ['online', 'resting', 'lost', 'full'] as const

export const CapacityMemberRow = z.object({
  member: z.string(),
  state: z.enum(machineStates),
  instances: z.int(),
  /** As many as the region’s factors let be sold. */
  total: Amounts,
  sold: Amounts,
  /** Really there, and really used; no CPU where the machine does not say. */
  real: Amounts,
  used: z.object({ cpu: z.number().nullable(), memory: z.number(), disk: z.number() }),
  accepts: z.boolean(),
  readAt: IsoTime,
  /** The newest. */
  drain: z
    .object({
      drainId: DrainId,
      state: z.enum(drainStates),
      beginsAt: IsoTime,
      endsAt: IsoTime,
      endedAt: IsoTime.nullable(),
      /** Instances that it has taken to other members. */
      moved: z.int(),
    })
    .nullable()
    .default(null),
})
export type CapacityMemberRow = z.infer<typeof CapacityMemberRow>

export const CapacityRegion = z.object({
  cloudName: z.string(),
  regionId: z.string(),
  title: z.string(),
  instances: z.int(),
  accepts: z.boolean(),
  /** False: nothing is refused as sold out here, and the totals are by the usual factors. */
  isLimited: z.boolean(),
  factors: Amounts,
  /** How many more of the middle offering fit. */
  room: z.object({ offering: z.string(), count: z.int() }).nullable(),
  members: z.array(CapacityMemberRow),
})
export type CapacityRegion = z.infer<typeof CapacityRegion>

export const capacityShow = defineCall({
  name: 'capacityShow',
  path: '/v1/operator/capacity/show',
  ...readByStaff,
  topics: [],
  summary: 'Regions and their members: sold against real for CPU, memory and disk.',
  data: z.object({ regions: z.array(CapacityRegion) }),
})

const Name = z.string().min(1).max(63)

const Factor = z.coerce.number().min(0.1).max(100)
const limits = { cloudName: Name, regionId: Name, cpu: Factor, memory: Factor, disk: Factor }

export const regionLimitsPlan = defineCall({
  name: 'regionLimitsPlan',
  path: '/v1/operator/capacity/limits-plan',
  ...readByStaff,
  topics: [],
  summary: 'How the catalogue in use would differ with these over-commit factors of a region.',
  body: z.strictObject(limits),
  data: z.object({
    from: CatalogHash,
    /** Lines that begin with `-` go, with `+` come; empty: nothing is different. */
    difference: z.string(),
  }),
})

export const regionLimits = defineCall({
  name: 'regionLimits',
  path: '/v1/operator/capacity/limits',
  ...byOperator,
  topics: [],
  summary: 'Puts these over-commit factors of a region in use for every process, as their difference was shown.',
  body: z.strictObject({ ...limits, from: CatalogHash, ...actFields }),
})

export const capacityAccept = defineCall({
  name: 'capacityAccept',
  path: '/v1/operator/capacity/accept',
  ...byOperator,
  topics: [],
  summary: 'Has a region, or one member of it, take new orders or not.',
  body: z.strictObject({ cloudName: Name, regionId: Name, member: Name.optional(), accepts: WireBool }),
})

const member = { cloudName: Name, regionId: Name, member: Name }

export const drainPlan = defineCall({
  name: 'drainPlan',
  path: '/v1/operator/capacity/drain-plan',
  ...readByStaff,
  topics: [],
  summary: 'How many instances of a member could be moved to other members of its region now.',
  body: z.strictObject(member),
  data: z.object({
    instances: z.int(),
    /** MiB of their disks, and what is written on the member. */
    disk: z.number(),
    diskUsed: z.number(),
    /** Those that there is room for, and their disks. */
    fitting: z.int(),
    fittingDisk: z.number(),
  }),
})

export const drainStart = defineCall({
  name: 'drainStart',
  path: '/v1/operator/capacity/drain',
  ...byOperator,
  topics: [],
  summary: 'Moves the instances of a member to others of its region, one after another, and mails their owners.',
  body: z.strictObject({
    ...member,
    /** Absent: now. */
    beginsAt: IsoTime.optional(),
    /** No move begins after it; absent: a day after the beginning. */
    endsAt: IsoTime.optional(),
    ...actFields,
  }),
})

export const drainStop = defineCall({
  name: 'drainStop',
  path: '/v1/operator/capacity/drain-stop',
  ...byOperator,
  topics: [],
  summary: 'Stops a drain; what has moved stays, and what is being moved gets there.',
  body: z.strictObject({ drainId: DrainId }),
})
