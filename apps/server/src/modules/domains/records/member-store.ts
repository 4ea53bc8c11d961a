/** Members of custom domains, and who is invited. A row belongs to one claim and ends with it. */

import { type Generated, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { accountOfDid } from '../../accounts/index.ts'

interface DomainMembersTable {
  id: Generated<number>
  domain: number
  /** In front of the @. */
  name: string
  /** The holder of the ID: a DID, as an account is not needed for that. */
  did: Generated<string | null>
  email: Generated<string | null>
  /** Made with the deployment's key. */
  password_hash: Generated<string | null>
  password_expires_at: Generated<Date | null>
  created_at: Date
  joined_at: Generated<Date | null>
}
export type MemberRow = Selectable<DomainMembersTable>

interface InvitationMailsTable {
  sender: string
  mailbox: string
  at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    domain_members: DomainMembersTable
    invitation_mails: InvitationMailsTable
  }
}

/** Those of a claim: who has an ID, in the order of joining, then who is invited, in that of inviting. */
export function membersOf(db: Db | Trx, domain: number) {
  return db
    .selectFrom('domain_members')
    .selectAll()
    .where('domain', '=', domain)
    .orderBy('joined_at', (order) => order.asc().nullsLast())
    .orderBy('id')
}

export async function findMember(db: Db | Trx, domain: number, name: string): Promise<MemberRow | undefined> {
  return await membersOf(db, domain).where('name', '=', name).executeTakeFirst()
}

/** Tries are counted one after another. */
export async function lockMember(trx: Trx, domain: number, name: string): Promise<MemberRow | undefined> {
  return await membersOf(trx, domain).where('name', '=', name).forUpdate().executeTakeFirst()
}

export async function countInvitations(trx: Trx, domain: number): Promise<number> {
  const { count } = await trx
    .selectFrom('domain_members')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('domain', '=', domain)
    .where('did', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many have an ID under the domain. */
export async function countJoined(db: Db | Trx, domain: number): Promise<number> {
  const { count } = await db
    .selectFrom('domain_members')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('domain', '=', domain)
    .where('did', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertMember(trx: Trx, row: Insertable<DomainMembersTable>): Promise<MemberRow> {
  return await trx.insertInto('domain_members').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateMember(trx: Trx, id: number, changes: Updateable<DomainMembersTable>): Promise<MemberRow> {
  return await trx
    .updateTable('domain_members')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteMember(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('domain_members').where('id', '=', id).execute()
}

/** Gives the name to `did`, even where it was offered to another person. */
export async function keepMember(
  trx: Trx,
  { domain, name, did, email, at }: { domain: number; name: string; did: string; email?: string | undefined; at: Date },
): Promise<void> {
  const joined = { did, joined_at: at, ...(email !== undefined && { email }) }
  await trx
    .insertInto('domain_members')
    .values({ domain, name, created_at: at, ...joined })
    .onConflict((conflict) =>
      conflict
        .constraint('domain_members_name_key')
        .doUpdateSet({ ...joined, password_hash: null, password_expires_at: null }),
    )
    .execute()
}

/** Ends them with their claim. */
export async function deleteMembers(trx: Trx, domain: number): Promise<void> {
  await trx.deleteFrom('domain_members').where('domain', '=', domain).execute()
}

/**
 * Accounts that have an ID under a domain of `admin`, for another module's query. A claim that ended has no members.
 */
export function membersUnder(admin: string) {
  return sql<string>`(select ${accountOfDid(sql.ref('domain_members.did'))} from domain_members
    join domains on domains.number = domain_members.domain
    where domains.userid = ${admin} and domains.released_at is null and domain_members.did is not null)`
}

/** Lets one transaction at a time count and send for a mailbox and for a sender. Until `trx` ends. */
export async function lockInvitationMails(trx: Trx, sender: string, mailbox: string): Promise<void> {
  // In one order, so that two of them never wait for each other.
  for (const key of [`invitations by ${sender}`, `invitations to ${mailbox}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}

/** When invitations were mailed since `since`, the newest first: by a sender, or to a mailbox by anybody. */
export async function listInvitationMails(
  trx: Trx,
  whose: { sender: string } | { mailbox: string },
  since: Date,
): Promise<Date[]> {
  const rows = await trx
    .selectFrom('invitation_mails')
    .select('at')
    .where('at', '>', since)
    .where((from) => ('sender' in whose ? from('sender', '=', whose.sender) : from('mailbox', '=', whose.mailbox)))
    .orderBy('at', 'desc')
    .execute()
  return rows.map(({ at }) => at)
}

/** Notes a mail, and forgets those that no longer count. */
export async function insertInvitationMail(
  trx: Trx,
  mail: { sender: string; mailbox: string; at: Date },
  forgetBefore: Date,
): Promise<void> {
  await trx.deleteFrom('invitation_mails').where('at', '<', forgetBefore).execute()
  await trx.insertInto('invitation_mails').values(mail).execute()
}
