/** `/v1/resource`: what is done to a cluster (spec §3, §7; design/api). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, EstimateToken, InstanceId, RequestId, WireBool } from '../wire/fields.ts'
import { ClusterStatus } from './status.ts'

export const clusterRename = defineCall({
  name: 'clusterRename',
  path: '/v1/resource/cluster/rename',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Gives a cluster another name; its address stays.',
  body: z.strictObject({ clusterId: ClusterId, name: z.string().max(64), requestId: RequestId.optional() }),
  data: z.object({ name: z.string() }),
})

function clusterActionCall<N extends string>(name: N, path: `/${string}`, summary: string) {
  return defineCall({
    name,
    path,
    reach: 'object',
    rate: 'change',
    topics: ['cluster'],
    summary,
    body: z.strictObject({ clusterId: ClusterId, instanceId: InstanceId.optional(), requestId: RequestId.optional() }),
    data: z.object({ status: ClusterStatus }),
  })
}
export const clusterStart = clusterActionCall(
  'clusterStart',
  '/v1/resource/start',
  'Starts a stopped cluster, or one instance of it.',
)
export const clusterStop = clusterActionCall(
  'clusterStop',
  '/v1/resource/stop',
  'Stops a running cluster, or one instance of it.',
)
export const clusterRestart = clusterActionCall(
  'clusterRestart',
  '/v1/resource/restart',
  'Restarts a running cluster, or one instance of it.',
)
export const clusterRetry = clusterActionCall(
  'clusterRetry',
  '/v1/resource/retry',
  'Retries the failed step of an errored cluster, or of one instance of it.',
)

export const destroyMaster = defineCall({
  name: 'destroyMaster',
  path: '/v1/resource/destroy/master',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary:
    'Destroys a cluster with all its instances and files. If it is not confirmed, or the shown refund has changed, it keeps running and waits to be confirmed.',
  body: z.strictObject({
    clusterId: ClusterId,
    /** False: it waits for the yes, or to be kept, for 24 h; then it is kept. */
    confirm: WireBool,
    /** Of `getEstimatedRefundAmount`: the refund is what was shown. */
    estimateToken: EstimateToken.optional(),
    /**
     * Of a self-hosted cluster: its hosts delete what they keep, the owner's files too. Else only their endpoint
     * goes.
     */
    wipe: WireBool.default(false),
    requestId: RequestId.optional(),
  }),
  data: z.object({ status: ClusterStatus }),
})

export const destroyKeep = defineCall({
  name: 'destroyKeep',
  path: '/v1/resource/destroy/keep',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Keeps a cluster, or one worker of it, whose destruction was to be confirmed: it goes on as before.',
  body: z.strictObject({ clusterId: ClusterId, instanceId: InstanceId.optional(), requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})

export const clusterGiveUp = defineCall({
  name: 'clusterGiveUp',
  path: '/v1/resource/cluster/giveUp',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary:
    'Gives up the machine of a cluster that is errored or offline: its agent is refused from then on and its address is free. Its status stays, and nothing is destroyed.',
  body: z.strictObject({ clusterId: ClusterId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})

export const clusterTakeBack = defineCall({
  name: 'clusterTakeBack',
  path: '/v1/resource/cluster/takeBack',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Takes a machine back that was given up, while no other cluster has its address.',
  body: z.strictObject({ clusterId: ClusterId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})

export const clusterPasswordReset = defineCall({
  name: 'clusterPasswordReset',
  path: '/v1/resource/cluster/password',
  reach: 'ownersOnly',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Asks an active cluster for a new one-time password, by which its owner sets a new password.',
  body: z.strictObject({ clusterId: ClusterId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})

/** The values that an owner enters in a cluster's wizard. */
export const Activation = z.object({ terminusName: z.string(), password: z.string(), wizardUrl: z.string() })
export type Activation = z.infer<typeof Activation>

export const clusterActivation = defineCall({
  name: 'clusterActivation',
  path: '/v1/resource/cluster/activation',
  reach: 'ownersOnly',
  reads: true,
  topics: ['cluster'],
  summary: 'The one-time password to activate a cluster or to set a new password; refused while neither is open.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: Activation,
})
