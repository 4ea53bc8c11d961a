/**
 * `/v1/operator/overview`: what needs a person. Each kind of item has its title and text in the console
 * (`operator.attention.<kind>` and `<kind>Text`, which name its facts) and its icon and page in `attention-looks.ts`.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime, RequestId } from '../wire/fields.ts'
import { byStaff, readByStaff } from './who-calls.ts'

export const attentionKinds = [
  'stuckClusters',
  'failingBackups',
  'failedPayments',
  'abuseReports',
  'waitingHolds',
  'lateCommands',
  'pausedRollout',
  'openDisputes',
  'unknownPayments',
  'failedRefunds',
  'lateRefunds',
  'lostCaptures',
  'brokenBooks',
  'oldBackup',
  'oldDrill',
  'fullDisk',
  'endingCertificates',
  'silentNameServers',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** The first is worse. */
export const attentionSeverities = ['critical', 'warning'] as const
export type AttentionSeverity = (typeof attentionSeverities)[number]

/**
 * A fact that a text names: words, a number, a time, an amount, or how long something takes. The age of an item is not
 * a fact: it would change, and be told, at every look. Every text may name it as `lasts`.
 */
export const AttentionFact = z.union([
  z.string(),
  z.number(),
  z.object({ at: IsoTime }),
  z.object({ minor: z.int(), currency: Currency }),
  z.object({ ms: z.number() }),
])
export type AttentionFact = z.infer<typeof AttentionFact>

export const AttentionItem = z.object({
  kind: z.enum(attentionKinds),
  /** Which one of its kind. */
  key: z.string(),
  severity: z.enum(attentionSeverities),
  since: IsoTime,
  facts: z.record(z.string(), AttentionFact),
  /** Opened by its page; null: the page as a whole. */
  object: z.string().nullable(),
  snoozedUntil: IsoTime.nullable(),
})
export type AttentionItem = z.infer<typeof AttentionItem>

export const snoozeMs = 24 * 60 * 60_000

export const attentionList = defineCall({
  name: 'attentionList',
  path: '/v1/operator/overview/attention',
  ...readByStaff,
  topics: ['operator'],
  summary: 'Items that need a person, the worst first and of those the oldest, with the snoozed ones.',
  data: z.object({ items: z.array(AttentionItem), lookedAt: IsoTime }),
})

export const attentionCount = defineCall({
  name: 'attentionCount',
  path: '/v1/operator/overview/count',
  ...readByStaff,
  topics: ['operator'],
  summary: 'How many items need a person and are not snoozed.',
  data: z.object({ count: z.int() }),
})

export const attentionSnooze = defineCall({
  name: 'attentionSnooze',
  path: '/v1/operator/overview/snooze',
  ...byStaff,
  topics: ['operator'],
  summary: 'Leaves an item out of the count for a day; recorded.',
  body: z.strictObject({
    kind: z.enum(attentionKinds),
    key: z.string().max(128),
    requestId: RequestId.optional(),
  }),
})
