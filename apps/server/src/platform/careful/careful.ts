/**
 * Careful mode: what this deployment does not know may be newer than it. It is entered by evidence, by a restore or by
 * the operator, and left by the operator alone (`npm run admin -- resume`).
 */
import { sql } from 'kysely'
import type { Db, Trx } from '../db/index.ts'
import { findDoubt, raiseDoubt, type Source } from './doubts.ts'

interface EvidenceTable {
  about: Source
  object: string
  detail: string
  found_at: Date
  accepted_at: Date | null
}
interface ResumptionsTable {
  number: number
  careful_since: Date
  why: string
  resumed_at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    evidence: EvidenceTable
    resumptions: ResumptionsTable
  }
}

/** Since when and why this deployment is careful; undefined: it works as usual. */
export async function findCareful(db: Db): Promise<{ since: Date; why: string } | undefined> {
  return await findDoubt(db, 'careful')
}

/** For `/readyz`, log and metrics; `undefined` as above. */
export async function describeCareful(db: Db): Promise<string | undefined> {
  const careful = await findCareful(db)
  return (
    careful &&
    `since ${careful.since.toISOString()}: ${careful.why}. No money moves, nothing is destroyed by a deadline and strays are only listed until npm run admin -- resume`
  )
}

/** Makes this deployment careful; one that is already stays so since then. */
export async function beCareful(db: Db, why: string, now: Date): Promise<void> {
  await raiseDoubt(db, 'careful', why, now)
}

/**
 * Writes down that something outside is newer than this database, and makes it careful unless the operator has accepted
 * that very thing. True where it is careful because of it.
 */
export async function noteEvidence(
  db: Db,
  { about, object, detail, now }: { about: Source; object: string; detail: string; now: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('evidence')
    .values({ about, object, detail, found_at: now, accepted_at: null })
    .onConflict((conflict) => conflict.columns(['about', 'object']).doUpdateSet({ detail }))
    .returning('accepted_at')
    .executeTakeFirstOrThrow()
  if (row.accepted_at !== null) return false
  await beCareful(db, `this database is older than what is at its ${about}: ${detail}`, now)
  return true
}

/** Things found outside that are newer than this database and not accepted yet; 1 000 at most. */
export async function listEvidence(db: Db): Promise<Pick<EvidenceTable, 'about' | 'object' | 'detail' | 'found_at'>[]> {
  return await db
    .selectFrom('evidence')
    .select(['about', 'object', 'detail', 'found_at'])
    .where('accepted_at', 'is', null)
    .orderBy('about')
    .orderBy('object')
    .limit(1000)
    .execute()
}

/**
 * Ends careful mode: all evidence is accepted as it is, and the resumption counted. The number of this resumption;
 * undefined where it was not careful.
 */
export async function endCareful(trx: Trx, now: Date): Promise<number | undefined> {
  // Two at once would be given the same number.
  await sql`lock table resumptions in share row exclusive mode`.execute(trx)
  const ended = await trx.deleteFrom('doubts').where('about', '=', 'careful').returningAll().executeTakeFirst()
  if (!ended) return undefined
  await trx.updateTable('evidence').set({ accepted_at: now }).where('accepted_at', 'is', null).execute()
  const number = Math.max(await countResumptions(trx), await findToldSeries(trx)) + 1
  await trx
    .insertInto('resumptions')
    .values({ number, careful_since: ended.since, why: ended.why, resumed_at: now })
    .execute()
  return number
}

/**
 * When careful mode was last ended; undefined: never. The days that something is kept before it goes for good are
 * counted from there at the earliest: that it was to go is known from another time, and may have been taken back since.
 */
export async function findResumedAt(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('resumptions')
    .select('resumed_at')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.resumed_at
}

/** The last series that any place outside told of: begun by a resumption that this database may not know. */
async function findToldSeries(db: Db): Promise<number> {
  const { series } = await db
    .selectFrom('claims')
    .select((from) => sql<number>`coalesce(${from.fn.max('series')}, 0)`.as('series'))
    .executeTakeFirstOrThrow()
  return series
}

/**
 * The number of the last resumption, 0 before the first. Numbers of documents that are issued after it are of a series
 * of its own (`R1` after the first): those after the copy was taken were issued once already.
 */
export async function countResumptions(db: Db): Promise<number> {
  const { number } = await db
    .selectFrom('resumptions')
    .select((from) => sql<number>`coalesce(${from.fn.max('number')}, 0)`.as('number'))
    .executeTakeFirstOrThrow()
  return number
}
