/** Alert rules of a cluster, and the alerts that came of them (design/usage, "Alerts"). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import type { WireFieldReason } from '../wire/field-reasons.ts'
import { ClusterId, InstanceId, IsoTime, WireBool, WireInt } from '../wire/fields.ts'
import { lookUp } from '../wire/unknown-words/read-open.ts'
import type { ObserveFieldReason } from './field-reasons.ts'

/**
 * The kinds of alerts, a row each. `unit` of its threshold: percent of the whole, missed runs since a backup last
 * completed, or days since the oldest part of a backup was verified; null: a condition without a figure. `of`: an
 * instance, or a backup of the cluster. The others are its rule by default (design/usage, "Alerts"): one with a clear
 * level ends below that, others below the threshold. A backup runs a while: it is late an hour after it should have
 * been completed.
 */
export const alertKinds = {
  disk: { unit: 'percent', of: 'instance', threshold: 90, clearBelow: 85, forMinutes: 10 },
  memory: { unit: 'percent', of: 'instance', threshold: 90, clearBelow: 85, forMinutes: 15 },
  offline: { unit: null, of: 'instance', forMinutes: 5 },
  workload: { unit: null, of: 'instance', forMinutes: 5 },
  backup: { unit: 'intervals', of: 'cluster', threshold: 2, forMinutes: 60 },
  proof: { unit: 'days', of: 'cluster', threshold: 45, forMinutes: 60 },
} as const satisfies Record<string, AlertKind>

interface AlertKind {
  unit: 'percent' | 'intervals' | 'days' | null
  of: 'instance' | 'cluster'
  threshold?: number
  clearBelow?: number
  forMinutes: number
}

export type AlertRuleName = keyof typeof alertKinds
export const alertRuleNames = Object.keys(alertKinds) as [AlertRuleName, ...AlertRuleName[]] // it has no other keys
export const AlertRuleName = z.enum(alertRuleNames)

/** Kinds that watch how full something of an instance is. */
const levelRules = ['disk', 'memory'] as const
export type LevelRule = (typeof levelRules)[number]

export function isLevelRule(rule: AlertRuleName): rule is LevelRule {
  return levelRules.some((level) => level === rule)
}

/** The row of a kind; one that is not known yet has no figure. */
export function alertKindOf(rule: AlertRuleName): AlertKind {
  return lookUp<AlertRuleName, AlertKind>(alertKinds, rule, { unit: null, of: 'instance', forMinutes: 0 })
}

/** In the unit of the rule; null where it has no such measure. */
const Level = z.int().nullable()

const WatchedRule = z.object({
  rule: AlertRuleName,
  /** Fires at this or above. */
  threshold: Level,
  /** Is over below this. */
  clearBelow: Level,
  /** How long it must be so before it fires. */
  forMinutes: z.int(),
  /** Whether it is watched at all. */
  isOn: z.boolean(),
  /** Whether who owns the cluster is mailed. */
  mail: z.boolean(),
})

const CurrentAlert = z.object({
  rule: AlertRuleName,
  instanceId: InstanceId,
  instance: z.string(),
  /** The part of the instance: a workload or a backup. Null: the instance itself. */
  subject: z.string().nullable(),
  state: z.enum(['pending', 'firing']),
  since: IsoTime,
})

const PastAlert = z.object({
  id: z.int(),
  rule: AlertRuleName,
  /** Null: the instance is gone. */
  instance: z.string().nullable(),
  subject: z.string().nullable(),
  /** When it fired, in the unit of the rule; null where it has none. */
  value: z.number().nullable(),
  at: IsoTime,
  /** Null: it goes on, or was no longer evaluated: the cluster was stopped, or the rule is not watched. */
  clearedAt: IsoTime.nullable(),
  goesOn: z.boolean(),
  /** When its owner was mailed that it fired, and that it was over; null: not. */
  mailedAt: IsoTime.nullable(),
  endMailedAt: IsoTime.nullable(),
})

export const ClusterAlerts = z.object({
  rules: z.array(WatchedRule),
  /** Alerts that are firing, and conditions that become alerts if they last. */
  current: z.array(CurrentAlert),
  /** Alerts of the last 30 days, and those that had not ended by then: newest first, at most 200. */
  history: z.array(PastAlert),
})
export type ClusterAlerts = z.infer<typeof ClusterAlerts>

export const clusterAlerts = defineCall({
  name: 'clusterAlerts',
  path: '/v1/resource/cluster/alerts',
  reach: 'object',
  reads: true,
  topics: ['cluster'],
  summary: 'Alert rules of a cluster, with the alerts that fire now and those that fired before.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: ClusterAlerts,
})

export const AccountAlerts = z.object({
  /** The rules of clusters that have no rule of their own, future clusters included. */
  rules: z.array(WatchedRule),
  /** In order of their names. */
  clusters: z.array(
    z.object({
      clusterId: ClusterId,
      name: z.string(),
      /** Not one that was stopped on purpose, or is on its way up. */
      isWatched: z.boolean(),
      rules: z.array(WatchedRule),
      current: z.array(CurrentAlert),
      /** Of its backups the one whose proof is oldest, if that is a day or more. */
      oldestProof: z.object({ backup: z.string(), days: z.int() }).nullable(),
      /** Percent of the whole, now; instances that did not report in the last minute are left out. */
      levels: z.array(z.object({ instanceId: InstanceId, instance: z.string(), disk: Level, memory: Level })),
    }),
  ),
  /** As of one cluster, over all of them. */
  history: z.array(PastAlert.extend({ clusterId: ClusterId, cluster: z.string() })),
})
export type AccountAlerts = z.infer<typeof AccountAlerts>

export const accountAlerts = defineCall({
  name: 'accountAlerts',
  path: '/v1/resource/alerts',
  reach: 'self',
  reads: true,
  topics: ['cluster'],
  summary: 'Alert rules of the account, with the alerts that fire now and those that fired before.',
  data: AccountAlerts,
})

/** One cluster, or every one that the account itself has, and will have. */
export const AlertScope = z.union([ClusterId, z.literal('all')], 'clusterId' satisfies WireFieldReason)

/** Longest that something must be so before it fires, min. */
export const longestAlertMinutes = 24 * 60
const ChosenLevel = WireInt.pipe(z.int().min(1).max(99))
const Minutes = WireInt.pipe(z.int().min(1).max(longestAlertMinutes))

const refuseTo = (context: z.RefinementCtx) => (field: string, reason: ObserveFieldReason) =>
  context.addIssue({ code: 'custom', path: [field], message: reason })

export const AlertRuleChange = z
  .strictObject({
    clusterId: AlertScope,
    rule: AlertRuleName,
    isOn: WireBool,
    mail: WireBool,
    forMinutes: Minutes,
    threshold: ChosenLevel.optional(),
    clearBelow: ChosenLevel.optional(),
  })
  .superRefine(({ rule, threshold, clearBelow }, context) => {
    const refuse = refuseTo(context)
    const { unit, clearBelow: clears } = alertKindOf(rule)
    if ((threshold === undefined) !== (unit === null)) refuse('threshold', unit ? 'alertLevel' : 'alertNoLevel')
    if ((clearBelow === undefined) !== (clears === undefined))
      refuse('clearBelow', clears ? 'alertLevel' : 'alertNoLevel')
    if (threshold !== undefined && clearBelow !== undefined && clearBelow > threshold)
      refuse('clearBelow', 'alertClearBelow')
  })
export type AlertRuleChange = z.output<typeof AlertRuleChange>

export const clusterAlertSet = defineCall({
  name: 'clusterAlertSet',
  path: '/v1/resource/cluster/alerts/set',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Sets when a rule of a cluster, or of all, fires, whether it mails, and whether it is watched at all.',
  body: AlertRuleChange,
})

/** The period of a preview, ms, and of a point of it: on the grid of a week. */
export const previewMs = 7 * 24 * 3600_000
export const previewStepMs = 40 * 60_000

export const AlertPreview = z.object({
  /** How often it would have fired, counted over all instances, and when it last would have. */
  times: z.int(),
  lastAt: IsoTime.nullable(),
  /** `[ms, percent]`: of the highest instance the highest five minutes of each step; one without samples is absent. */
  points: z.array(z.tuple([z.int(), z.number()])),
})
export type AlertPreview = z.infer<typeof AlertPreview>

export const clusterAlertPreview = defineCall({
  name: 'clusterAlertPreview',
  path: '/v1/resource/cluster/alerts/preview',
  reach: 'object',
  reads: true,
  rate: 'costly',
  topics: [],
  summary: 'How often a rule about disk or memory would have fired in the last 7 days, by means of five minutes.',
  body: z
    .strictObject({
      clusterId: AlertScope,
      rule: z.enum(levelRules),
      forMinutes: Minutes,
      threshold: ChosenLevel,
      clearBelow: ChosenLevel,
    })
    .superRefine(({ threshold, clearBelow }, context) => {
      if (clearBelow > threshold) refuseTo(context)('clearBelow', 'alertClearBelow')
    }),
  data: AlertPreview,
})
