import type { Announcement, StatusComponent, StatusState } from '@atoll/contract/announcements'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'

interface AnnouncementsTable {
  id: string
  kind: Announcement['kind']
  impact: StatusState
  title_en: string
  title_zh: string
  components: StatusComponent[]
  /** As `atoll/lagoon`; empty: all. */
  regions: string[]
  starts_at: Date
  ends_at: Date | null
  ended_at: Date | null
  by_mail: boolean
  /** Owners up to this one have their mail. */
  mailed_to: Generated<string>
  mailed_at: Date | null
  written_by: string
  written_at: Date
}
export type AnnouncementRow = Selectable<AnnouncementsTable>

interface AnnouncementTextsTable {
  number: Generated<number>
  announcement_id: string
  text_en: string
  text_zh: string
  written_by: string
  at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    announcements: AnnouncementsTable
    announcement_texts: AnnouncementTextsTable
  }
}

export type NewAnnouncement = Omit<AnnouncementRow, 'ended_at' | 'mailed_to' | 'mailed_at'>

export async function insertAnnouncement(trx: Trx, row: NewAnnouncement): Promise<void> {
  await trx
    .insertInto('announcements')
    .values({ ...row, ended_at: null, mailed_at: null })
    .execute()
}

export async function insertText(trx: Trx, text: Omit<Selectable<AnnouncementTextsTable>, 'number'>): Promise<void> {
  await trx.insertInto('announcement_texts').values(text).execute()
}

/** The newest first. */
export function announcementsQuery(db: Db) {
  return db.selectFrom('announcements').selectAll().orderBy('starts_at', 'desc').orderBy('id')
}

/** One, locked until `trx` ends. */
export async function lockAnnouncement(trx: Trx, id: string): Promise<AnnouncementRow | undefined> {
  return await trx.selectFrom('announcements').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function endAnnouncement(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('announcements').set({ ended_at: at }).where('id', '=', id).execute()
}

/** Those that go on or begin before `until`. */
export async function listLivingAnnouncements(db: Db, until: Date): Promise<AnnouncementRow[]> {
  return await announcementsQuery(db).where('ended_at', 'is', null).where('starts_at', '<', until).execute()
}

/** Those that are not over, and those that ended after `since`. */
export async function listAnnouncementsSince(db: Db, since: Date): Promise<AnnouncementRow[]> {
  return await announcementsQuery(db)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', since)]))
    .limit(200)
    .execute()
}

/** The texts of these announcements, the oldest first. */
export async function listTexts(db: Db, ids: readonly string[]) {
  return await db
    .selectFrom('announcement_texts')
    .select(['announcement_id', 'text_en', 'text_zh', 'at'])
    .where('announcement_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('number')
    .execute()
}

/** Notes whom the mails have got to; `at`: they are all written. */
export async function noteMailed(
  trx: Trx,
  { id, to, at }: { id: string; to: string; at: Date | undefined },
): Promise<void> {
  await trx
    .updateTable('announcements')
    .set({ mailed_to: to, ...(at && { mailed_at: at }) })
    .where('id', '=', id)
    .execute()
}
