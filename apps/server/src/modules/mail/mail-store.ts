import type { MailState, OptionalMail } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'

interface MailsTable {
  /** `ml_…`; the part before the @ of its Message-ID. */
  id: string
  userid: string
  kind: string
  recipient: string
  locale: Locale
  /** Null: it always comes. */
  optional: Generated<OptionalMail | null>
  /** Sealed JSON; null once the mail was sent, or nobody may send it again. */
  params: string | null
  state: Generated<MailState>
  attempts: Generated<number>
  failure: Generated<string | null>
  created_at: Date
  usable_until: Date
  ended_at: Generated<Date | null>
}
export type MailRow = Selectable<MailsTable>

declare module '../../platform/db/index.ts' {
  interface Tables {
    mails: MailsTable
  }
}

export async function insertMail(
  trx: Trx,
  mail: Pick<
    MailRow,
    'id' | 'userid' | 'kind' | 'recipient' | 'locale' | 'optional' | 'params' | 'created_at' | 'usable_until'
  >,
): Promise<void> {
  await trx
    .insertInto('mails')
    .values({ ...mail, state: 'waiting' })
    .execute()
}

/** Whether a mail to the account waits to be sent. */
export async function isMailWaiting(db: Db, userid: string): Promise<boolean> {
  const waiting = db.selectFrom('mails').select('id').where('userid', '=', userid)
  return (await waiting.where('state', 'in', ['waiting', 'delayed']).limit(1).executeTakeFirst()) !== undefined
}

/** Which mails an account was written, the first first; their texts are not kept once they are sent. */
export async function listMailsOf(db: Db, userid: string) {
  return await db
    .selectFrom('mails')
    .select(['id', 'created_at', 'kind', 'recipient', 'state', 'ended_at'])
    .where('userid', '=', userid)
    .orderBy('created_at')
    .execute()
}

/** Mails by their state, as long as they are known. */
export async function countMails(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('mails')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

export async function findMail(db: Db, id: string): Promise<MailRow | undefined> {
  return await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Ends a mail that has not ended. Its content is removed, unless it `keeps` that to be sent again. False when it had
 * ended before.
 */
export async function endMail(
  trx: Trx,
  mail: { id: string; state: 'sent' | 'failed'; failure: string | null; at: Date; keeps: boolean },
): Promise<boolean> {
  const result = await trx
    .updateTable('mails')
    .set((from) => ({
      state: mail.state,
      failure: mail.failure,
      ended_at: mail.at,
      ...(!mail.keeps && { params: null }),
      attempts: from('attempts', '+', 1),
    }))
    .where('id', '=', mail.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Notes that an attempt failed and another will follow. */
export async function delayMail(trx: Trx, mail: { id: string; failure: string }): Promise<void> {
  await trx
    .updateTable('mails')
    .set((from) => ({ state: 'delayed', failure: mail.failure, attempts: from('attempts', '+', 1) }))
    .where('id', '=', mail.id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Mails since `since` that are delayed or failed, the last first; 50 at most. */
export async function listUndelivered(db: Db, since: Date) {
  return await db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'state', 'failure', 'created_at', 'ended_at'])
    .select((from) => from('params', 'is not', null).as('canResend'))
    .where('state', 'in', ['delayed', 'failed'])
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(50)
    .execute()
}

/** How many were sent since `since`, and how many wait. */
export async function countSent(db: Db, since: Date): Promise<{ sent: number; waiting: number }> {
  return await db
    .selectFrom('mails')
    .select([
      sql<number>`count(*) filter (where state = 'sent' and ended_at >= ${since})::int`.as('sent'),
      sql<number>`count(*) filter (where state = 'waiting')::int`.as('waiting'),
    ])
    .where((from) => from.or([from('ended_at', '>=', since), from('ended_at', 'is', null)]))
    .executeTakeFirstOrThrow()
}

/** Retries a mail that was not delivered; a failed one is of use until `usableUntil`. False: its text is deleted. */
export async function reopenMail(trx: Trx, id: string, usableUntil: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mails')
    .set({ state: 'waiting', ended_at: null, failure: null, attempts: 0 })
    // One that is tried still is of use as long as before: a code ends when its code does.
    .set({
      usable_until: sql<Date>`case when state = 'failed' then greatest(usable_until, ${usableUntil})
        else usable_until end`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['delayed', 'failed'])
    .where('params', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes mails that ended before `before`; gives how many. */
export async function deleteMailsBefore(db: Db, before: Date): Promise<number> {
  const result = await db
    .deleteFrom('mails')
    .where('created_at', '<', before)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
