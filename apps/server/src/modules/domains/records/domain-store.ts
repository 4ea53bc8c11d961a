/** Claims to domains. A row is read for a change with a lock; each write counts its revision. */
import {
  type DomainMethod,
  type DomainProblem,
  type DomainStatus,
  keptChecks,
  type RuleType,
} from '@atoll/contract/domains'
import { type Generated, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { LookupResult } from '../domain-deps.ts'
import { parentsOf, registrableOf } from '../names/domain-name.ts'

interface DomainsTable {
  number: Generated<number>
  userid: string
  name: string
  is_apex: boolean
  method: DomainMethod
  status: DomainStatus
  revision: Generated<number>
  txt_token: string
  proven_at: Generated<Date | null>
  /** Proven, and its control of the name has not been seen since; only of claims that are not bound. */
  unseen_since: Generated<Date | null>
  rule_type: Generated<RuleType | null>
  rule_data: Generated<string | null>
  /** The public mail provider of the last rule that was refused; null once one was taken. */
  rule_refused: Generated<string | null>
  full_string: Generated<string | null>
  zone_version: Generated<number | null>
  /** Its `_acme-challenge` is pointed here by CNAME, when somebody last answered. */
  challenge_alias: Generated<boolean>
  problem: Generated<DomainProblem | null>
  problem_since: Generated<Date | null>
  checks_since: Date
  next_check_at: Generated<Date | null>
  checked_at: Generated<Date | null>
  asked_at: Generated<Date | null>
  contest_until: Generated<Date | null>
  contest_by: Generated<number | null>
  contested_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
  released_at: Generated<Date | null>
}
export type DomainRow = Selectable<DomainsTable>

interface DomainChecksTable {
  id: Generated<number>
  domain: number
  at: Date
  status: DomainStatus
  passed: boolean
  /** As JSON. */
  verdicts: unknown
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    domains: DomainsTable
    domain_checks: DomainChecksTable
  }
}

/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const proofLockClass = 7006

/** Until `trx` ends, only its holder decides which of the names that can contain each other are proven. */
export async function lockProofs(trx: Trx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${proofLockClass}, hashtext(${registrableOf(domain)}))`.execute(trx)
}

export async function insertDomain(trx: Trx, row: Insertable<DomainsTable>): Promise<DomainRow> {
  return await trx.insertInto('domains').values(row).returningAll().executeTakeFirstOrThrow()
}

/** The account's claims that have not ended, the newest first. */
export async function listDomains(db: Db | Trx, userid: string): Promise<DomainRow[]> {
  return await living(db).where('userid', '=', userid).orderBy('number', 'desc').execute()
}

export async function findDomain(db: Db | Trx, number: number): Promise<DomainRow | undefined> {
  return await living(db).where('number', '=', number).executeTakeFirst()
}

/** Of the account; somebody else's claim to the same name is another. */
export async function findOwnDomain(db: Db | Trx, userid: string, name: string): Promise<DomainRow | undefined> {
  return await living(db).where('userid', '=', userid).where('name', '=', name).executeTakeFirst()
}

export async function lockOwnDomain(trx: Trx, userid: string, name: string): Promise<DomainRow | undefined> {
  return await living(trx).where('userid', '=', userid).where('name', '=', name).forUpdate().executeTakeFirst()
}

export async function findProvenDomain(db: Db | Trx, name: string): Promise<DomainRow | undefined> {
  return await living(db).where('name', '=', name).where('proven_at', 'is not', null).executeTakeFirst()
}

export async function lockDomain(trx: Trx, number: number): Promise<DomainRow | undefined> {
  return await living(trx).where('number', '=', number).forUpdate().executeTakeFirst()
}

/** Locks the proven claim to `name`, of any account. */
export async function lockProvenDomain(trx: Trx, name: string): Promise<DomainRow | undefined> {
  const proven = living(trx).where('name', '=', name).where('proven_at', 'is not', null)
  return await proven.forUpdate().executeTakeFirst()
}

/** The account whose proven claim to `name` ended last. */
export async function findLastOwner(trx: Trx, name: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('domains')
    .select('userid')
    .where('name', '=', name)
    .where('proven_at', 'is not', null)
    .where('released_at', 'is not', null)
    .orderBy('released_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.userid
}

/** A claim that excludes another one, and how its name stands to that one's. */
export type Rival = DomainRow & { relation: 'same' | 'parent' | 'child' }

interface Claim {
  name: string
  number?: number
}

/** A proven claim that excludes one to `name`: what contains it, else the name itself, else a part of it. */
export async function findRival(db: Db | Trx, claim: Claim): Promise<Rival | undefined> {
  const row = await rivalsOf(db, claim).limit(1).executeTakeFirst()
  return row && withRelation(row, claim)
}

/** All of them, in the same order. */
export async function listRivals(db: Db | Trx, claim: Claim): Promise<Rival[]> {
  return (await rivalsOf(db, claim).execute()).map((row) => withRelation(row, claim))
}

function rivalsOf(db: Db | Trx, { name, number = 0 }: Claim) {
  const proven = kin(db, name).where('proven_at', 'is not', null).where('number', '<>', number)
  return proven.orderBy(sql`length(name)`).orderBy('number')
}

function withRelation(row: DomainRow, { name }: Claim): Rival {
  return { ...row, relation: row.name === name ? 'same' : row.name.length < name.length ? 'parent' : 'child' }
}

/** Whose claims to `name`, or to what contains it or is part of it, have no proof: what becomes of it concerns them. */
export async function listWaiting(db: Db | Trx, name: string): Promise<Pick<DomainRow, 'number' | 'userid'>[]> {
  return await kin(db, name).where('proven_at', 'is', null).execute()
}

/** Has every claim that waits for `name`, or for what excludes it, checked now; gives their numbers. */
export async function haveWaitingChecked(trx: Trx, name: string, now: Date): Promise<number[]> {
  const numbers = (await listWaiting(trx, name)).map(({ number }) => number)
  if (numbers.length === 0) return []
  await trx
    .updateTable('domains')
    .set({ next_check_at: now, checks_since: now, contested_at: null, revision: sql`revision + 1` })
    .where('number', 'in', numbers)
    .where('proven_at', 'is', null)
    .execute()
  return numbers
}

/** Writes `changes` where the row is still as `row` was read; false: somebody was faster. */
export async function updateDomain(
  trx: Trx,
  row: Pick<DomainRow, 'number' | 'revision'>,
  changes: Updateable<DomainsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('domains')
    .set({ ...changes, revision: row.revision + 1 })
    .where('number', '=', row.number)
    .where('revision', '=', row.revision)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The domains whose owners answer to the claim `number`; locked. */
export async function lockContestedBy(trx: Trx, number: number): Promise<DomainRow[]> {
  return await living(trx).where('contest_by', '=', number).forUpdate().execute()
}

/** Keeps what a check found, and forgets the oldest. */
export async function insertCheck(trx: Trx, row: DomainRow, lookup: LookupResult, at: Date): Promise<void> {
  const { number: domain, status } = row
  await trx
    .insertInto('domain_checks')
    .values({ domain, at, status, passed: lookup.passed, verdicts: JSON.stringify(lookup.verdicts) })
    .execute()
  await trx
    .deleteFrom('domain_checks')
    .where('domain', '=', domain)
    .where('id', '<=', (from) =>
      from
        .selectFrom('domain_checks')
        .select('id')
        .where('domain', '=', domain)
        .orderBy('id', 'desc')
        .offset(keptChecks)
        .limit(1),
    )
    .execute()
}

/** The last check of what the domain's present step awaits. */
export async function findLastCheck(db: Db, { number, status, checks_since }: DomainRow) {
  return await db
    .selectFrom('domain_checks')
    .select(['at', 'passed', 'verdicts'])
    .where('domain', '=', number)
    .where('status', '=', status)
    .where('at', '>=', checks_since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Claims whose check is due since before `dueBefore`. */
export async function listOverdue(db: Db, dueBefore: Date): Promise<number[]> {
  const rows = await living(db).where('next_check_at', '<=', dueBefore).orderBy('next_check_at').limit(500).execute()
  return rows.map(({ number }) => number)
}

function living(db: Db | Trx) {
  return db.selectFrom('domains').selectAll().where('released_at', 'is', null)
}

/** Claims to the name, to what contains it, and to what is part of it. */
function kin(db: Db | Trx, name: string) {
  return living(db).where((from) =>
    from.or([
      from('name', 'in', [name, ...parentsOf(name)]),
      from(sql`right(name, ${name.length + 1})`, '=', `.${name}`),
    ]),
  )
}
