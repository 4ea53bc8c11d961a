import type { OptionalMail } from '@atoll/contract/accounts'
import type { Locale, Role, StaffRole } from '@atoll/contract/wire'
import type { Currency, Zone } from '@atoll/money'
import { type Expression, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { nameOfDid } from '../../identity/index.ts'
import { askedWhy } from './consent-store.ts'
import { closesAt, isHeld } from './hold-store.ts'
import type { Market } from './market.ts'
import { staffRoleOf } from './staff-store.ts'

interface AccountsTable {
  /** The account's id in rows, logs and files: made by the database, never changed. */
  account_id: Generated<string>
  /** Of who signs in to it: calls and people say `userid`. No other table refers to it. */
  did: string
  /** Hash of the picture in `avatars`. */
  avatar: Generated<string | null>
  email: Generated<string | null>
  can_create_cluster: boolean
  /** Its instances may reach TCP port 25 elsewhere. */
  may_send_mail: Generated<boolean>
  /** The quota that the operator granted; null: that of its plan. */
  vcpu_quota: number | null
  /** 0 to 3, see `planNames`. */
  plan_level: Generated<number>
  /** vCPU that its plan includes as it was sold; null: what the catalogue says. */
  plan_vcpu: Generated<number | null>
  role: Generated<Role>
  /** Language it was last used in: of its mails. */
  locale: Generated<Locale>
  /** IANA name of the zone it reads deadlines in; null: not known yet. */
  time_zone: Generated<string | null>
  /** Optional kinds of mail that it does without. */
  mails_off: Generated<OptionalMail[]>
  /** Null until it has signed in, and then for good: see `marketOf`. */
  currency: Generated<Currency | null>
  zone: Generated<Zone | null>
  /** How far its clock is ahead of the wall's, ms: see `accountNow`. */
  clock_offset_ms: Generated<number>
  created_at: Date
}
export type AccountRow = Selectable<AccountsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    accounts: AccountsTable
    /** A view, to be read by all. */
    account_dids: Pick<AccountsTable, 'account_id' | 'did'>
  }
}

export interface AccountPlan {
  /** 0 Free to 3 Pro. */
  level: number
  /** The included vCPU as sold; null: as the catalogue says. */
  vCpu: number | null
}

export interface NewAccount {
  /** Its id, where it is known before; else the database makes it. */
  userid?: string
  did: string
  canCreateCluster: boolean
  at: Date
}

/** Makes the account of a DID that signs in for the first time: `isNew`. An existing one keeps its limits. */
export async function insertAccount(
  trx: Trx,
  { userid: id, did, canCreateCluster, at }: NewAccount,
): Promise<{ userid: string; isNew: boolean }> {
  const made = await trx
    .insertInto('accounts')
    .values({
      ...(id !== undefined && { account_id: id }),
      did,
      can_create_cluster: canCreateCluster,
      vcpu_quota: null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('did').doNothing())
    .returning('account_id')
    .executeTakeFirst()
  if (!made) return { userid: await getAccountId(trx, did), isNew: false }
  const userid = made.account_id
  await trx
    .insertInto('account_visits')
    .values({ userid, last_seen_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { userid, isNew: true }
}

/** The account with the name bound to its DID. */
export async function findNamedAccount(
  db: Db,
  userid: string,
): Promise<
  | (AccountRow & {
      terminus_name: string | null
      staff: StaffRole | null
      is_held: boolean
      closes_at: Date | null
      asked_why: string | null
    })
  | undefined
> {
  return await db
    .selectFrom('accounts')
    .selectAll()
    .select((from) => [
      nameOfDid(from.ref('accounts.did')).as('terminus_name'),
      staffRoleOf(from.ref('accounts.account_id')).as('staff'),
      isHeld(from.ref('accounts.account_id')).as('is_held'),
      closesAt(from.ref('accounts.account_id')).as('closes_at'),
      askedWhy(from.ref('accounts.account_id')).as('asked_why'),
    ])
    .where('account_id', '=', userid)
    .executeTakeFirst()
}

/** The query of all accounts with their names and roles, to be narrowed. */
export function namedAccounts(db: Db) {
  return db
    .selectFrom('accounts')
    .select((from) => [
      'accounts.account_id',
      'accounts.did',
      nameOfDid(from.ref('accounts.did')).as('terminusName'),
      'accounts.role',
    ])
}

export async function findAccount(db: Db, userid: string): Promise<AccountRow | undefined> {
  return await db.selectFrom('accounts').selectAll().where('account_id', '=', userid).executeTakeFirst()
}

/** These accounts with their bound IDs, for staff; by their ids. */
export async function listPeople(
  db: Db,
  userids: readonly string[],
): Promise<Map<string, { accountId: string; userid: string; terminusName: string | null }>> {
  if (userids.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select((from) => [
      'account_id as accountId',
      'did as userid',
      nameOfDid(from.ref('accounts.did')).as('terminusName'),
    ])
    .where('account_id', 'in', [...new Set(userids)])
    .execute()
  return new Map(rows.map((row) => [row.accountId, row]))
}

/** The id of the account of a DID; undefined: it has never signed in. */
export async function findAccountOfDid(db: Db, did: string): Promise<string | undefined> {
  const query = db.selectFrom('accounts').select('account_id').where('did', '=', did)
  return (await query.executeTakeFirst())?.account_id
}

/** The DID of an account; undefined: there is none with this id. */
export async function findDid(db: Db, userid: string): Promise<string | undefined> {
  const query = db.selectFrom('accounts').select('did').where('account_id', '=', userid)
  return (await query.executeTakeFirst())?.did
}

export async function findEmail(db: Db, userid: string): Promise<string | null> {
  const query = db.selectFrom('accounts').select('email').where('account_id', '=', userid)
  return (await query.executeTakeFirst())?.email ?? null
}

export async function getDid(db: Db, userid: string): Promise<string> {
  const query = db.selectFrom('accounts').select('did').where('account_id', '=', userid)
  return (await query.executeTakeFirstOrThrow()).did
}

/** The `name@domain` of an account; null without one. */
export async function findName(db: Db, userid: string): Promise<string | null> {
  const query = db.selectFrom('accounts').select((from) => nameOfDid(from.ref('accounts.did')).as('name'))
  return (await query.where('account_id', '=', userid).executeTakeFirst())?.name ?? null
}

async function getAccountId(db: Db, did: string): Promise<string> {
  const query = db.selectFrom('accounts').select('account_id').where('did', '=', did)
  return (await query.executeTakeFirstOrThrow()).account_id
}

/** For a query: the id of the account of a DID, in a column or given; null: it has none here. */
export function accountOfDid(did: Expression<unknown> | string): RawBuilder<string | null> {
  return sql<string | null>`(select account_id from accounts where accounts.did = ${did})`
}

/** For a query: the DID of the account whose id a column holds. */
export function didOfAccount(userid: Expression<unknown> | string): RawBuilder<string> {
  return sql<string>`(select accounts.did from accounts where accounts.account_id = ${userid})`
}

/** For a query: the `name@domain` of the account whose id a column holds. */
export function nameOf(userid: Expression<unknown>): RawBuilder<string | null> {
  return nameOfDid(didOfAccount(userid))
}

/** The zone of an account for a query, UTC until it has one. */
export function zoneOf(userid: Expression<unknown>): RawBuilder<Zone> {
  return sql<Zone>`(select coalesce(zone, 'UTC') from accounts where accounts.account_id = ${userid})`
}

/** For a query: how far the account's clock is ahead of the wall's, ms; null: there is no such account. */
export function clockOffsetOf(userid: Expression<unknown>): RawBuilder<number | null> {
  return sql<number | null>`(select clock_offset_ms from accounts where accounts.account_id = ${userid})`
}

/** One account as a table of another query: userid, currency and zone with their defaults, clock_offset_ms. */
export function moneyFactsOf(userid: string): RawBuilder<unknown> {
  return sql`(select account_id as userid, coalesce(currency, 'usd') as currency, coalesce(zone, 'UTC') as zone, clock_offset_ms
    from accounts where accounts.account_id = ${userid})`
}

/** Puts the account's clock ahead by `ms` more. Under its lock. */
export async function moveClockBy(trx: Trx, userid: string, ms: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ clock_offset_ms: sql<number>`clock_offset_ms + ${ms}` })
    .where('account_id', '=', userid)
    .execute()
}

export async function getCreatedAt(db: Db, userid: string): Promise<Date> {
  const query = db.selectFrom('accounts').select('created_at').where('account_id', '=', userid)
  return (await query.executeTakeFirstOrThrow()).created_at
}

/** The account with its row locked until the transaction ends: others who want the lock wait. */
export async function lockAccount(trx: Trx, userid: string): Promise<AccountRow | undefined> {
  // "no key": rows that refer to the account can still be inserted meanwhile.
  return await trx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', userid)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Fixes what the account pays in and its zone, once. */
export async function fixMarket(trx: Trx, userid: string, market: Market): Promise<void> {
  await trx.updateTable('accounts').set(market).where('account_id', '=', userid).where('currency', 'is', null).execute()
}

export async function setEmail(trx: Trx, userid: string, email: string | null): Promise<void> {
  await trx.updateTable('accounts').set({ email }).where('account_id', '=', userid).execute()
}

/** Language of the account's mails, and of pages that open for it elsewhere. */
export async function getLocale(db: Db, userid: string): Promise<Locale> {
  const { locale } = await db
    .selectFrom('accounts')
    .select('locale')
    .where('account_id', '=', userid)
    .executeTakeFirstOrThrow()
  return locale
}

/** Notes the language an account is used in. */
export async function setLocale(trx: Trx, userid: string, locale: Locale): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ locale })
    .where('account_id', '=', userid)
    .where('locale', '<>', locale)
    .execute()
}

/** Writes the zone, an IANA name, that the account reads deadlines in. */
export async function setTimeZone(db: Db, userid: string, timeZone: string): Promise<void> {
  await db.updateTable('accounts').set({ time_zone: timeZone }).where('account_id', '=', userid).execute()
}

/** Switches an optional kind of mail on or off; false where there is no such account, or it was so already. */
export async function switchMail(
  db: Db,
  { userid, mail, isOn }: { userid: string; mail: OptionalMail; isOn: boolean },
): Promise<boolean> {
  const without = sql<OptionalMail[]>`array_remove(mails_off, ${mail}::text)`
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ mails_off: isOn ? without : sql<OptionalMail[]>`array_append(${without}, ${mail}::text)` })
    .where('account_id', '=', userid)
    .where(sql<boolean>`(${mail}::text = any(mails_off)) = ${isOn}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Sets the hash of the account's picture and gives the one before. */
export async function setAvatarHash(trx: Trx, userid: string, hash: string | null): Promise<string | null> {
  const before = (await lockAccount(trx, userid))?.avatar ?? null
  await trx.updateTable('accounts').set({ avatar: hash }).where('account_id', '=', userid).execute()
  return before
}

/** Writes the plan that an account is on from now. */
export async function setPlan(trx: Trx, userid: string, { level, vCpu }: AccountPlan): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ plan_level: level, plan_vcpu: vCpu })
    .where('account_id', '=', userid)
    .execute()
}

/** Writes what the operator decided. */
export async function updateAccount(
  trx: Trx,
  userid: string,
  facts: Partial<
    Pick<AccountRow, 'role' | 'vcpu_quota' | 'can_create_cluster' | 'may_send_mail' | 'currency' | 'zone'>
  >,
): Promise<void> {
  await trx.updateTable('accounts').set(facts).where('account_id', '=', userid).execute()
}

export async function maySendMail(db: Db, userid: string): Promise<boolean> {
  return (await findAccount(db, userid))?.may_send_mail ?? false
}
