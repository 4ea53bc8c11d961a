/**
 * Whether an act that cannot be taken back may be done now. A restored or copied database knows less than the world, a
 * clock that jumped makes everything due: until each doubt is settled, such acts wait. Doubts are rows, so that every
 * process sees the same ones at each act, and none has to be restarted.
 *
 *   careful   the database is older than something outside, was restored, or the operator said so; ends by `resume`
 *   clock     time jumped (clock-watch.ts); ends when it was steady, or by the operator's word
 *   stop      nothing ran for a while, and no outside clock says for how long: what fell due meanwhile waits; ends
 *             alike
 *   sources   since a start nobody asked the source whether it knows more than this database; ends with its answer
 *
 * Writers: start-up and clock-watch raise, sources' checks and the operator settle. Repeating either changes nothing.
 */
import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** The outside systems that show whether this database is up to date. */
export const sources = ['gateway', 'zones', 'vault', 'provider'] as const
export type Source = (typeof sources)[number]
/**
 * A source as it is asked and waited for: each PowerDNS by its address and each provider by its place, as one that is
 * away says nothing of another.
 */
export type Asked = Exclude<Source, 'zones' | 'provider'> | `zones ${string}` | `provider ${string}`
export type About = 'careful' | 'clock' | 'stop' | Asked

interface DoubtsTable {
  about: About
  since: Date
  why: string
  /** Of `stop` alone: when the last server wrote that it ran. */
  due_from: Generated<Date | null>
}

declare module '../db/index.ts' {
  interface Tables {
    doubts: DoubtsTable
  }
}

/**
 * When an act waits.
 *   never     it can be taken back, or a person asked for it just now
 *   careful   while the deployment is careful: it moves money, or changes what is outside
 *   deadline  then, and while the clock is in doubt: only the time makes it due (it sweeps, ends, charges or releases);
 *             after a stop, where it fell due meanwhile or nobody says when it did
 */
export type Waits = 'never' | 'careful' | 'deadline'

export interface Act {
  waits: Waits
  /** The source that, after each start, first has to confirm that it knows nothing newer than this database. */
  source?: Asked | undefined
  /** When it fell due; of an act that sees to many things, each of which it asks about itself, `each`. */
  dueAt?: Date | 'each' | undefined
}

export interface Hold {
  about: About
  /** In words, for the operator. */
  why: string
}

/** The doubt that holds the act back; undefined: it may be done. */
export async function findHold(db: Db, { waits, source, dueAt }: Act): Promise<Hold | undefined> {
  if (waits === 'never') return undefined
  const ofTime: About[] = waits === 'deadline' ? ['clock', 'stop'] : []
  const about: About[] = ['careful', ...ofTime, ...(source ? [source] : [])]
  const rows = await db.selectFrom('doubts').selectAll().where('about', 'in', about).execute()
  const found = rows.filter((row) => row.due_from === null || isMeant(dueAt, row.due_from, row.since))
  // The first in the order above: it lasts longest.
  const first = about.flatMap((one) => found.filter((row) => row.about === one))[0]
  return first && { about: first.about, why: first.why }
}

/** Whether what fell due then is meant by the doubt about a stop. */
function isMeant(dueAt: Act['dueAt'], from: Date, until: Date): boolean {
  if (dueAt === undefined) return true
  return dueAt !== 'each' && dueAt >= from && dueAt <= until
}

/** For a query of what is due: whether it fell due during a stop for which no outside clock vouches. */
export function fellDueInStop(dueAt: RawBuilder<Date>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from doubts where about = 'stop' and ${dueAt} between due_from and since)`
}

/** Nothing ran since `from`, and no outside clock says that this is so. Of two stops in a row all that lies between. */
export async function doubtStop(db: Db, { from, why, at }: { from: Date; why: string; at: Date }): Promise<void> {
  await db
    .insertInto('doubts')
    .values({ about: 'stop', since: at, why, due_from: from })
    .onConflict((conflict) => conflict.column('about').doUpdateSet({ since: at, why }))
    .execute()
}

/** All doubts there are, for the operator. */
export async function listDoubts(db: Db): Promise<Selectable<DoubtsTable>[]> {
  return await db.selectFrom('doubts').selectAll().orderBy('since').orderBy('about').execute()
}

export async function findDoubt(db: Db, about: About): Promise<Selectable<DoubtsTable> | undefined> {
  return await db.selectFrom('doubts').selectAll().where('about', '=', about).executeTakeFirst()
}

/** Raises a doubt; one that is there already keeps its beginning and its words. */
export async function raiseDoubt(db: Db, about: About, why: string, at: Date): Promise<void> {
  await db
    .insertInto('doubts')
    .values({ about, since: at, why })
    .onConflict((conflict) => conflict.column('about').doNothing())
    .execute()
}

/** Stores why a source gave no clear answer; does nothing where the source is not in doubt. */
export async function explainDoubt(db: Db, about: About, why: string): Promise<void> {
  await db.updateTable('doubts').set({ why }).where('about', '=', about).execute()
}

/** Ends a doubt that was raised up to `raisedBy`: what was answered before a start says nothing about that start. */
export async function settleDoubt(db: Db, about: Exclude<About, 'careful'>, raisedBy?: Date): Promise<void> {
  await db
    .deleteFrom('doubts')
    .where('about', '=', about)
    .where('since', '<=', raisedBy ?? sql<Date>`'infinity'::timestamptz`)
    .execute()
}

/**
 * At each start, before any act: these sources are to be asked again. A doubt from before starts over; where they are
 * `all` there are, that about a PowerDNS or a provider that is not used any more ends, as nobody asks it.
 */
export async function raiseStartDoubts(db: Db, asked: readonly Asked[], at: Date, { all = true } = {}): Promise<void> {
  if (all)
    await sql`
      delete from doubts
      where (about like 'zones %' or about like 'provider %') and about <> all(${[...asked]}::text[])`.execute(db)
  for (const about of asked)
    await db
      .insertInto('doubts')
      .values({ about, since: at, why: 'not asked since the start' })
      .onConflict((conflict) => conflict.column('about').doUpdateSet({ since: at, why: 'not asked since the start' }))
      .execute()
}
