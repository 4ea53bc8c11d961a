/**
 * An announcement of operators: a maintenance window or an incident, in both languages, with updates until it has
 * ended. Shown in the console, on `/status` and in its feed, and mailed to those it is about.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { type Locale, locales } from '../wire/constants.ts'
import { IsoTime, RequestId, WireBool } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'

export const announcementKinds = ['maintenance', 'incident'] as const
/** Parts of the service as the status page names them; clusters are shown for each region. */
export const statusComponents = ['signIn', 'console', 'clusters', 'backups', 'domains', 'payments'] as const
export type StatusComponent = (typeof statusComponents)[number]
/** How far a part works, from well to not at all. */
export const statusStates = ['works', 'limited', 'down'] as const
export type StatusState = (typeof statusStates)[number]

export const AnnouncementId = z.string().regex(/^an_[a-z0-9]{8,40}$/)
/** Cloud and region of the catalogue: `atoll/lagoon`. */
export const AnnouncedRegion = z
  .string()
  .max(140)
  .regex(/^[\w.-]+\/[\w.-]+$/)

const inEach = Object.fromEntries(locales.map((locale) => [locale, z.string()])) as Record<Locale, z.ZodString> // of all
/** One text in each language. */
export const InBoth = z.object(inEach)

export const AnnouncementUpdate = z.object({ at: IsoTime, text: InBoth })

export const Announcement = z.object({
  announcementId: AnnouncementId,
  kind: z.enum(announcementKinds),
  title: InBoth,
  /** How far what it names works meanwhile. */
  impact: z.enum(statusStates),
  /** Empty: no part in particular. */
  components: z.array(z.enum(statusComponents)),
  /** Empty: all. */
  regions: z.array(z.object({ region: AnnouncedRegion, title: InBoth })),
  startsAt: IsoTime,
  /** When it is expected to be over; null: nobody knows. */
  endsAt: IsoTime.nullable(),
  endedAt: IsoTime.nullable(),
  /** The oldest first. */
  updates: z.array(AnnouncementUpdate),
})
export type Announcement = z.infer<typeof Announcement>

export const announcementsNow = defineCall({
  name: 'announcementsNow',
  path: '/v1/announcements/now',
  reach: 'self',
  reads: true,
  topics: [],
  summary: 'Incidents and maintenance of now and of the next three days that touch the account.',
  data: z.array(Announcement),
})

/** As staff see one: with how its mails fare. */
export const StaffAnnouncement = Announcement.extend({
  byMail: z.boolean(),
  /** When the last mail was written; null: not all are. */
  mailedAt: IsoTime.nullable(),
})
export type StaffAnnouncement = z.infer<typeof StaffAnnouncement>

export const announcementsPage = defineCall({
  name: 'announcementsPage',
  path: '/v1/operator/announcements/page',
  reach: 'staff',
  reads: true,
  topics: ['account'],
  summary: 'Announcements, the newest first, with the regions that there are to choose from.',
  body: pageQuery({}),
  data: pageOf({
    announcements: z.array(StaffAnnouncement),
    regions: z.array(z.object({ region: AnnouncedRegion, title: InBoth })),
  }),
})

const Title = z.string().trim().min(4).max(120)
const Text = z.string().trim().min(4).max(2000)

export const announcementWrite = defineCall({
  name: 'announcementWrite',
  path: '/v1/operator/announcements/write',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Announces a maintenance window or an incident.',
  body: z.strictObject({
    kind: z.enum(announcementKinds),
    impact: z.enum(statusStates),
    titleEn: Title,
    titleZh: Title,
    textEn: Text,
    textZh: Text,
    components: z.array(z.enum(statusComponents)).max(statusComponents.length).default([]),
    regions: z.array(AnnouncedRegion).max(100).default([]),
    /** Absent: it has begun. */
    startsAt: IsoTime.optional(),
    endsAt: IsoTime.optional(),
    byMail: WireBool,
    requestId: RequestId.optional(),
  }),
  data: z.object({ announcementId: AnnouncementId }),
})

export const announcementUpdate = defineCall({
  name: 'announcementUpdate',
  path: '/v1/operator/announcements/update',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Says more about an announcement, and perhaps that it is over.',
  body: z.strictObject({
    announcementId: AnnouncementId,
    textEn: Text,
    textZh: Text,
    ends: WireBool,
    requestId: RequestId.optional(),
  }),
})
