import type { Announcement, StaffAnnouncement } from '@atoll/contract/announcements'
import type { Locale } from '@atoll/contract/wire'
import { inEachLocale } from '@atoll/texts/fill-text'
import type { Db } from '../../platform/db/index.ts'
import type { Catalog } from '../catalog/index.ts'
import { type AnnouncementRow, listTexts } from './announcement-store.ts'

export interface NamedRegion {
  /** Cloud and region, as `atoll/lagoon`. */
  region: string
  title: Record<Locale, string>
}

/** Regions of the catalogue; those of several clouds carry the cloud's name. */
export function regionsOf({ clouds }: Pick<Catalog, 'clouds'>): NamedRegion[] {
  const isAlone = clouds.length === 1
  return clouds.flatMap((cloud) =>
    cloud.regions.map(({ regionId, title }) => ({
      region: `${cloud.cloudName}/${regionId}`,
      title: isAlone
        ? title
        : inEachLocale((locale) => `${cloud.title[locale]}${locale === 'zh-CN' ? ' ' : ', '}${title[locale]}`),
    })),
  )
}

/** Announcements as people read them; a region that is no longer in the catalogue is named by its id. */
export async function describeAnnouncements(
  db: Db,
  rows: readonly AnnouncementRow[],
  regions: readonly NamedRegion[],
): Promise<StaffAnnouncement[]> {
  const ids = rows.map(({ id }) => id)
  const texts = ids.length === 0 ? [] : await listTexts(db, ids)
  const named = (region: string) =>
    regions.find((known) => known.region === region) ?? { region, title: inEachLocale(() => region) }
  return rows.map((row) => ({
    announcementId: row.id,
    kind: row.kind,
    title: written(row.title_en, row.title_zh),
    impact: row.impact,
    components: row.components,
    regions: row.regions.map(named),
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    updates: texts
      .filter(({ announcement_id }) => announcement_id === row.id)
      .map(({ at, text_en, text_zh }) => ({ at: at.toISOString(), text: written(text_en, text_zh) })),
    byMail: row.by_mail,
    mailedAt: row.mailed_at?.toISOString() ?? null,
  }))
}

/** Without what only staff see. */
export function toPublic({ byMail: _, mailedAt: __, ...announcement }: StaffAnnouncement): Announcement {
  return announcement
}

/** Operators write in two languages; a reader of another gets the English text. */
function written(english: string, chinese: string): Record<Locale, string> {
  return inEachLocale((locale) => (locale === 'zh-CN' ? chinese : english))
}
