/** Clusters on hosts, machines of the owner's own: what is asked to create one, and the command that enrolls a host. */
import { z } from 'zod'
import { RestoreSource } from '../backups/ids.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, InstanceId, IsoTime, RequestId } from '../wire/fields.ts'
import { InstanceRole, ReverseProxy } from './cluster-kinds.ts'
import type { ClustersFieldReason } from './field-reasons.ts'
import { ClusterStatus } from './status.ts'

/** From the issue of an enrollment token to the moment it can no longer be used (lifecycle, "Agent"). ms */
export const enrollTokenLifetimeMs = 30 * 60_000
/**
 * Commands for further hosts of one cluster that can be used at a time; a newer one takes the place of the oldest.
 */
export const mostWorkerCommands = 10
/** A host that has not reported for this long is offline (lifecycle, "offline"). ms */
export const selfHostSilenceMs = 90_000

/** A host name or an address, with a port where it is not the agent's own; IPv6 in brackets. */
export const DirectAddress = z
  .string()
  .max(260)
  .regex(
    /^([a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?|\[[0-9a-fA-F:]{2,45}\])(:\d{1,5})?$/,
    'hostAndPort' satisfies ClustersFieldReason,
  )

/** The output of `cloudflared tunnel token`: base64 of JSON with account, tunnel and secret. */
const TunnelToken = z
  .string()
  .min(40)
  .max(2000)
  .regex(/^[A-Za-z0-9+/_=-]+$/, 'tunnelToken' satisfies ClustersFieldReason)

export const SelfHostOrder = z
  .strictObject({
    clusterType: z.literal('SelfHost'),
    name: z.string().max(64).optional(),
    /** How visitors reach it: not at all through us, through the relay (or the operator's frps), or Cloudflare. */
    reverseProxy: ReverseProxy,
    /** For `none`: where visitors reach the host; left out, the address it has towards us. */
    address: DirectAddress.optional(),
    /** For `cloudflare`. The token is kept sealed and given to the host alone. */
    cloudflare: z
      .strictObject({
        tunnelToken: TunnelToken,
        hostname: z
          .string()
          .max(253)
          .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.[a-z]{2,}$/, 'hostName' satisfies ClustersFieldReason),
      })
      .optional(),
    /** A snapshot of the caller's that becomes the host's drive. */
    restore: RestoreSource.optional(),
    requestId: RequestId.optional(),
  })
  .superRefine(({ reverseProxy, address, cloudflare }, context) => {
    const refuse = (field: string, reason: ClustersFieldReason) =>
      context.addIssue({ code: 'custom', path: [field], message: reason })
    if (reverseProxy === 'cloudflare' && !cloudflare) refuse('cloudflare', 'cloudflareMissing')
    if (reverseProxy !== 'cloudflare' && cloudflare) refuse('cloudflare', 'cloudflareOnly')
    if (reverseProxy !== 'none' && address !== undefined) refuse('address', 'directOnly')
  })
export type SelfHostOrder = z.input<typeof SelfHostOrder>

/** The one command for the host. It carries a single-use token and no other secret. */
export const EnrollCommand = z.object({
  enrollToken: z.string(),
  /** One line for a shell of the host. */
  command: z.string(),
  /** Until then a host can use it. */
  expireAt: IsoTime,
})
export type EnrollCommand = z.infer<typeof EnrollCommand>

/**
 * A fresh command. For `master` it takes the place of the one before, and an errored wait for a host restarts;
 * refused once a host has enrolled. For `worker` each command brings one more host into the cluster; the newest
 * `mostWorkerCommands` of them can be used. The same `requestId` again gives the same command.
 */
export const selfHostCommand = defineCall({
  name: 'selfHostCommand',
  path: '/v1/resource/selfhost/command',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'A fresh command that enrolls a machine of the owner’s into a self-hosted cluster.',
  body: z.strictObject({ clusterId: ClusterId, role: InstanceRole, requestId: RequestId.optional() }),
  data: EnrollCommand,
})

/**
 * A command for a machine in the place of the cluster's own. Nothing changes until that machine comes; then the old one
 * is refused, and address, hosts and certificates stay. A newer command takes the place of the one before. The same
 * `requestId` again gives the same command.
 */
export const clusterReplaceMachine = defineCall({
  name: 'clusterReplaceMachine',
  path: '/v1/resource/cluster/replaceMachine',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'A command that brings another machine in the place of a self-hosted cluster’s own.',
  body: z.strictObject({
    clusterId: ClusterId,
    /** A snapshot of the owner's that becomes its drive; left out: it begins empty. */
    restore: RestoreSource.optional(),
    requestId: RequestId.optional(),
  }),
  data: EnrollCommand,
})

const MachineCopy = z.object({
  /** Of its agent's process, new at each start. */
  bootId: z.string().max(64),
  /** Empty where it said none. */
  hostName: z.string(),
  /** Since when it serves, or about when it was refused last. */
  at: IsoTime,
})

/** Machines that run with copies of one disk: one serves, the others are refused. */
export const MachineCopies = z.object({
  /** The owner has said which goes on. */
  isAnswered: z.boolean(),
  serving: MachineCopy,
  /** The one that dialled last first. */
  refused: z.array(MachineCopy),
})
export type MachineCopies = z.infer<typeof MachineCopies>

export const clusterChooseMachine = defineCall({
  name: 'clusterChooseMachine',
  path: '/v1/resource/cluster/chooseMachine',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Says which of the machines that run with copies of one disk goes on; the others are refused.',
  body: z.strictObject({
    clusterId: ClusterId,
    instanceId: InstanceId,
    /** Of `MachineCopies`. */
    bootId: z.string().min(1).max(64),
    requestId: RequestId.optional(),
  }),
  data: z.object({ status: ClusterStatus }),
})

/**
 * Whether visitors reach a host. `missing`: the program that should carry them is not on the host.
 */
export const NetworkState = z.object({
  state: z.enum(['connected', 'connecting', 'missing', 'failed']),
  /** In words for the owner; null while there is nothing to say. */
  reason: z.string().max(300).nullable(),
})
export type NetworkState = z.infer<typeof NetworkState>
