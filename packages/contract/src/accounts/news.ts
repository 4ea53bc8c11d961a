/** `/v2/user/news`: events of the last 30 days that no person asked for; the list of the console's header. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'

/** How long an event is kept, days, and how many of them are listed, the newest. */
export const newsDays = 30
export const newsListed = 100

export const newsObjects = ['cluster', 'backup', 'domain'] as const
export type NewsObject = (typeof newsObjects)[number]

/** Kinds of events, by the object that each is about. */
export const newsKindsOf = {
  cluster: ['clusterReady', 'clusterFailed', 'clusterLost', 'alertFired', 'alertCleared'],
  backup: [
    ...(['backupDamage', 'backupDrill', 'backupRun', 'backupPrune', 'backupCheck', 'backupOver'] as const),
    ...(['backupShrink', 'backupRewrite'] as const),
  ],
  domain: [
    ...(['domainNameLost', 'domainMemberRemoved', 'domainDelegationLost', 'domainDelegationBack'] as const),
    ...(['domainContested', 'domainContestOver', 'domainReleased', 'domainOffered'] as const),
    ...(['domainHandedOver', 'domainHttpsFailing', 'domainHttpsEnding'] as const),
  ],
} as const satisfies Record<NewsObject, readonly string[]>
export type NewsKind = (typeof newsKindsOf)[NewsObject][number]
const newsKinds = Object.values(newsKindsOf).flat()

export const NewsItem = z.object({
  id: z.string(),
  at: IsoTime,
  kind: z.enum(newsKinds),
  object: z.object({ kind: z.enum(newsObjects), id: z.string(), name: z.string() }),
  /** The rule of an alert; null: the kind says all. */
  detail: z.string().nullable(),
  isUnread: z.boolean(),
})
export type NewsItem = z.infer<typeof NewsItem>

export const newsList = defineCall({
  name: 'newsList',
  path: '/v2/user/news',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'Events of the last 30 days that no person asked for, the newest first, and how many are unread.',
  data: z.object({ items: z.array(NewsItem), unread: z.int() }),
})

export const newsRead = defineCall({
  name: 'newsRead',
  path: '/v2/user/news/read',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Marks all events up to this time as read; safe to repeat.',
  body: z.strictObject({ upTo: IsoTime }),
})
