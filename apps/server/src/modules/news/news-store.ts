import { type NewsKind, newsDays, newsListed } from '@atoll/contract/accounts'
import { type Generated, type Selectable, sql } from 'kysely'
import { findHold } from '../../platform/careful/index.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'

interface NewsTable {
  number: Generated<number>
  account_id: string
  at: Date
  kind: NewsKind
  object_id: string
  object_name: string
  detail: string | null
}
export type NewsRow = Selectable<NewsTable>

declare module '../../platform/db/index.ts' {
  interface Tables {
    news: NewsTable
  }
}

const keptMs = newsDays * 24 * 3600_000

export interface NewsEvent {
  /** The account that it is for. */
  userid: string
  at: Date
  kind: NewsKind
  object: { id: string; name: string }
  detail?: string
}

/** Adds an event to the account's list, in the transaction of the event. */
export async function recordNews(trx: Trx, { userid, at, kind, object, detail }: NewsEvent): Promise<void> {
  await trx
    .insertInto('news')
    .values({ account_id: userid, at, kind, object_id: object.id, object_name: object.name, detail: detail ?? null })
    .execute()
  // For a clock that jumped, all of it would be old.
  if (!(await findHold(trx, { waits: 'deadline' })))
    await trx
      .deleteFrom('news')
      .where('account_id', '=', userid)
      .where('at', '<', new Date(at.getTime() - keptMs))
      .execute()
  await publishChange(trx, { account: userid, topic: 'account', id: userid })
}

/** The newest events of an account. */
export async function listNews(db: Db, accountId: string, now: Date): Promise<NewsRow[]> {
  return await selectNews(db, accountId, now)
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(newsListed)
    .execute()
}

/** How many came after `readAt`; undefined: none was read. */
export async function countUnread(db: Db, accountId: string, now: Date, readAt: Date | undefined): Promise<number> {
  const { unread } = await selectNews(db, accountId, now)
    .select(sql<number>`count(*)::int`.as('unread'))
    .$if(readAt !== undefined, (query) => query.where('at', '>', readAt ?? now))
    .executeTakeFirstOrThrow()
  return unread
}

function selectNews(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('news')
    .where('account_id', '=', accountId)
    .where('at', '>=', new Date(now.getTime() - keptMs))
}
