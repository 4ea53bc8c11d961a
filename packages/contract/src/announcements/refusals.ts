/** Refusals of calls about announcements. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const announcementsRefusals = {
  announcementEnded: { code: codes.conflict, ...words('This is over already.', '此公告已结束。') },
  announcementTimes: {
    code: codes.conflict,
    field: 'endsAt',
    ...words('The end has to come after the start.', '结束时间须晚于开始时间。'),
  },
  announcedRegionUnknown: {
    code: codes.conflict,
    field: 'regions',
    ...words('The catalogue has no region “{region}”.', '目录中没有区域“{region}”。'),
  },
} as const satisfies Refusals

/** Objects as `notFound` names them. */
export const announcementsObjects = { announcement: words('announcement', '公告') } as const
