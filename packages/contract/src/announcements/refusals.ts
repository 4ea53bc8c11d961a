/** Refusals of calls about announcements. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const announcementsRefusals = {
  announcementEnded: { code: codes.conflict },
  announcementTimes: { code: codes.conflict, field: 'endsAt' },
  announcedRegionUnknown: { code: codes.conflict, field: 'regions' },
} as const satisfies Refusals
