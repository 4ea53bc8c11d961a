import type { Generated, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface EmailCodesTable {
  /** `ec_…` */
  id: string
  userid: string
  /** Normalised (`email-address.ts`). */
  email: string
  /** Whose mails are counted together (`mailboxKey`). */
  mailbox: string
  /** Made with the deployment's key. */
  code_hash: string
  mail_id: string
  tries_left: number
  created_at: Date
  expires_at: Date
  ended_at: Generated<Date | null>
}
export type EmailCodeRow = Selectable<EmailCodesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    email_codes: EmailCodesTable
  }
}

export async function insertEmailCode(trx: Trx, code: Omit<EmailCodeRow, 'ended_at'>): Promise<void> {
  await trx.insertInto('email_codes').values(code).execute()
}

/** The newest code of an account, used or not, expired or not. */
export async function findNewestEmailCode(db: Db, userid: string): Promise<EmailCodeRow | undefined> {
  return await newestOf(db, userid).executeTakeFirst()
}

/** As above, with its row locked until the transaction ends: tries are counted one after another. */
export async function lockNewestEmailCode(trx: Trx, userid: string): Promise<EmailCodeRow | undefined> {
  return await newestOf(trx, userid).forUpdate().executeTakeFirst()
}

function newestOf(db: Db | Trx, userid: string) {
  return db
    .selectFrom('email_codes')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
}

/**
 * When codes were sent since `since`, newest first: those an account asked for, or those sent to a mailbox by anyone.
 */
export async function listCodeTimes(
  trx: Trx,
  whose: { userid: string } | { mailbox: string },
  since: Date,
): Promise<Date[]> {
  const rows = await trx
    .selectFrom('email_codes')
    .select('created_at')
    .where('created_at', '>', since)
    .where('userid' in whose ? sql<boolean>`userid = ${whose.userid}` : sql<boolean>`mailbox = ${whose.mailbox}`)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => row.created_at)
}

/**
 * Lets one transaction at a time count and send for a mailbox, whichever accounts ask. Held until the transaction
 * ends.
 */
export async function lockMailbox(trx: Trx, mailbox: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`email ${mailbox}`}, 0))`.execute(trx)
}

export async function setTriesLeft(trx: Trx, id: string, triesLeft: number): Promise<void> {
  await trx.updateTable('email_codes').set({ tries_left: triesLeft }).where('id', '=', id).execute()
}

/** Ends every code of an account that has not ended. */
export async function endEmailCodes(trx: Trx, userid: string, at: Date): Promise<void> {
  await trx
    .updateTable('email_codes')
    .set({ ended_at: at })
    .where('userid', '=', userid)
    .where('ended_at', 'is', null)
    .execute()
}

/** Removes codes sent before `before`; gives how many. */
export async function deleteEmailCodesBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('email_codes').where('created_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
