/** What a cluster is watched for, and what came of it (design/usage, "Alerts"). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, InstanceId, IsoTime } from '../wire/fields.ts'

export const alertRuleNames = ['disk', 'memory', 'offline'] as const
export const AlertRuleName = z.enum(alertRuleNames)
export type AlertRuleName = z.infer<typeof AlertRuleName>

/** Share of the whole, 0..1; null where the rule has no measure. */
const Share = z.number().nullable()

export const ClusterAlerts = z.object({
  rules: z.array(
    z.object({
      rule: AlertRuleName,
      /** Fires at this or above. */
      threshold: Share,
      /** Is over below this. */
      clearBelow: Share,
      forMinutes: z.int(),
      /** Whether who owns the cluster is mailed. */
      mail: z.boolean(),
    }),
  ),
  /** What fires now, and what will if it lasts. */
  current: z.array(
    z.object({
      rule: AlertRuleName,
      instanceId: InstanceId,
      instance: z.string(),
      state: z.enum(['pending', 'firing']),
      since: IsoTime,
    }),
  ),
  /** Newest first, at most 50, of the last 90 days. */
  history: z.array(
    z.object({
      id: z.int(),
      rule: AlertRuleName,
      /** Null: the instance is no more. */
      instance: z.string().nullable(),
      kind: z.enum(['fired', 'cleared']),
      value: Share,
      at: IsoTime,
    }),
  ),
})
export type ClusterAlerts = z.infer<typeof ClusterAlerts>

export const clusterAlerts = defineCall({
  name: 'clusterAlerts',
  path: '/v1/resource/cluster/alerts',
  auth: 'account',
  topics: ['cluster'],
  summary: 'What a cluster is watched for, what fires now, and what fired before.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: ClusterAlerts,
})
