/** `/v1/operator/versions`: which versions run in clusters, and how a new one comes to them in waves. */
import { z } from 'zod'
import { ActReason, actFields } from '../staff/approvals.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, RequestId } from '../wire/fields.ts'

/** The operating system will be another. */
export const rolloutKinds = ['agent'] as const
export type RolloutKind = (typeof rolloutKinds)[number]
/** One after the other: the operator's own clusters, 5 %, 25 %, the rest. */
export const rolloutWaves = ['own', 'first', 'second', 'rest'] as const
export const rolloutStates = ['running', 'paused', 'back', 'ended'] as const
export const pauseReasons = ['failures', 'notOffered', 'operator'] as const
/** An owner may put an update off so often, for a week each. */
export const mostPutOff = 2
export const putOffMs = 7 * 24 * 60 * 60 * 1000
/** Agents of releases that are older are not served for certain, ms. */
export const agentSupportMs = 365 * 24 * 60 * 60 * 1000

const RolloutId = z.string().regex(/^ro_[a-z2-7]{20}$/)
const Version = z.string().min(1).max(40)

/** Clusters of a wave by how they stand: the worst of a cluster's machines counts. */
export const RolloutWave = z.object({
  wave: z.enum(rolloutWaves),
  clusters: z.int(),
  updated: z.int(),
  failed: z.int(),
  returned: z.int(),
  /** Asked, and not answered yet. */
  asked: z.int(),
  /** Not asked yet; of them, those that cannot be reached. */
  waiting: z.int(),
  offline: z.int(),
  /** Not asked, as their owners put it off. */
  putOff: z.int(),
})
export type RolloutWave = z.infer<typeof RolloutWave>

export const Rollout = z.object({
  rolloutId: RolloutId,
  kind: z.enum(rolloutKinds),
  version: Version,
  state: z.enum(rolloutStates),
  pausedBecause: z.enum(pauseReasons).nullable(),
  pausedAt: IsoTime.nullable(),
  /** Place in `waves` of the one that runs. */
  wave: z.int(),
  /** Earliest; null while the rollout does not run, and for the last wave. */
  waveEndsAt: IsoTime.nullable(),
  waves: z.array(RolloutWave),
  /** The newest, 20 at most. */
  failures: z.array(z.object({ clusterId: ClusterId, reason: z.string(), at: IsoTime })),
  createAt: IsoTime,
})
export type Rollout = z.infer<typeof Rollout>

export const versionStates = ['rollingOut', 'current', 'offered', 'old', 'unsupported'] as const
export const RunningVersion = z.object({
  version: Version,
  releasedAt: IsoTime.nullable(),
  state: z.enum(versionStates),
  clusters: z.int(),
  offline: z.int(),
})
export type RunningVersion = z.infer<typeof RunningVersion>

export const ProgramVersions = z.object({
  kind: z.enum(rolloutKinds),
  clusters: z.int(),
  /** The version that this server offers; null: it was built without one. */
  offered: Version.nullable(),
  /** Its release is signed: agents install no other. */
  isSigned: z.boolean(),
  /** Nobody rolls another out, and some cluster does not run what is offered. */
  mayStart: z.boolean(),
  rollout: Rollout.nullable(),
  versions: z.array(RunningVersion),
})
export type ProgramVersions = z.infer<typeof ProgramVersions>

export const versionsShow = defineCall({
  name: 'versionsShow',
  path: '/v1/operator/versions/show',
  reach: 'staff',
  reads: true,
  topics: ['operator'],
  summary: 'Which versions run in clusters, and how a new one comes to them.',
  data: z.object({ programs: z.array(ProgramVersions), server: z.string() }),
})

export const rolloutStart = defineCall({
  name: 'rolloutStart',
  path: '/v1/operator/versions/start',
  reach: 'operator',
  rate: 'change',
  topics: ['operator'],
  summary: 'Rolls out the version that this server offers, in waves; approved in the wallet.',
  body: z.strictObject({ kind: z.enum(rolloutKinds), version: Version, ...actFields }),
})

export const rolloutPause = defineCall({
  name: 'rolloutPause',
  path: '/v1/operator/versions/pause',
  reach: 'operator',
  rate: 'change',
  topics: ['operator'],
  summary: 'Asks no further cluster to update.',
  body: z.strictObject({ rolloutId: RolloutId, reason: ActReason }),
})

export const rolloutContinue = defineCall({
  name: 'rolloutContinue',
  path: '/v1/operator/versions/continue',
  reach: 'operator',
  rate: 'change',
  topics: ['operator'],
  summary: 'Goes on with a paused rollout, and asks those that failed again; approved in the wallet.',
  body: z.strictObject({ rolloutId: RolloutId, ...actFields }),
})

export const rolloutBack = defineCall({
  name: 'rolloutBack',
  path: '/v1/operator/versions/back',
  reach: 'operator',
  rate: 'change',
  topics: ['operator'],
  summary: 'Has every updated cluster go back to the version before; approved in the wallet.',
  body: z.strictObject({ rolloutId: RolloutId, ...actFields }),
})

export const clusterUpdate = defineCall({
  name: 'clusterUpdate',
  path: '/v1/resource/cluster/update',
  reach: 'private',
  reads: true,
  topics: ['cluster'],
  summary: 'The update that a cluster will get, and how often its owner may still put it off.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({
    update: z
      .object({
        version: Version,
        /** Until then it was put off. */
        notBefore: IsoTime.nullable(),
        /** So often it can be put off yet. */
        left: z.int(),
      })
      .nullable(),
  }),
})

export const clusterUpdatePutOff = defineCall({
  name: 'clusterUpdatePutOff',
  path: '/v1/resource/cluster/update/putOff',
  reach: 'private',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Puts the update of a cluster off for a week.',
  body: z.strictObject({ clusterId: ClusterId, requestId: RequestId.optional() }),
})
