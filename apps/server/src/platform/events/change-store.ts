/**
 * The changes of the last hour, numbered in the order of their commits (migration 0017). A reader that sees a number
 * sees all before it, so one number says how far a subscriber has read.
 */
import { type EventTopic, eventTopics } from '@atoll/contract/wire'
import { type Generated, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../db/index.ts'
import { drillOwnerFact, factOf } from '../facts/index.ts'

interface ChangesTable {
  id: Generated<number>
  /** Given when the transaction commits. */
  seq: Generated<number>
  account: string
  topic: EventTopic
  object_id: string
  at: Generated<Date>
}

interface ChangePositionTable {
  seq: number
}

declare module '../db/index.ts' {
  interface Tables {
    changes: ChangesTable
    change_position: ChangePositionTable
  }
}

/** A change as it is published: `id` is the object's. */
export interface NumberedChange {
  seq: number
  account: string
  topic: EventTopic
  id: string
}

/** Whose changes are meant: those of `account`, and of these topics everybody's. */
export interface ChangeFilter {
  account: string
  everybodys: readonly EventTopic[]
}

export function matchesFilter({ account, everybodys }: ChangeFilter, change: Omit<NumberedChange, 'seq'>): boolean {
  return change.account === account || everybodys.includes(change.topic)
}

/**
 * Tells everyone who watches `account` (a userid) that its object `id` changed, when the caller's transaction commits:
 * the change gets its number then, and is kept for those who are away. Those of drills' own clusters are not published,
 * not even to subscribers of everybody's changes.
 */
export async function publishChange(
  db: Db | Trx,
  { account, topic, id }: { account: string; topic: EventTopic; id: string },
): Promise<void> {
  await sql`insert into changes (account, topic, object_id) select ${account}::text, ${topic}, ${id}
    where ${account}::text is distinct from ${factOf(drillOwnerFact)}`.execute(db)
}

/** The number given last; 0 before the first. */
export async function getPosition(db: Db): Promise<number> {
  return (await db.selectFrom('change_position').select('seq').executeTakeFirstOrThrow()).seq
}

const Missed = z.array(z.object({ seq: z.number(), account: z.string(), topic: z.enum(eventTopics), id: z.string() }))

/**
 * Changes after the number `after`, oldest first, only the last of several changes of one object; and the number up to
 * which the list is complete. Undefined when that cannot be known any more: some changes were removed, or `after` is
 * not a number of this database. One round trip, one snapshot.
 */
export async function listMissed(
  db: Db,
  { account, everybodys }: ChangeFilter,
  after: number,
): Promise<{ changes: NumberedChange[]; position: number } | undefined> {
  const { rows } = await sql<{ position: number; oldest: number; changes: unknown }>`
    select position.seq as position,
      coalesce((select min(seq) from changes), position.seq + 1) as oldest,
      (select json_agg(json_build_object('seq', seq, 'account', account, 'topic', topic, 'id', object_id) order by seq)
        from (select max(seq) as seq, account, topic, object_id from changes
          where seq > ${after} and (account = ${account} or topic = any(${[...everybodys]}::text[]))
          group by account, topic, object_id) as missed) as changes
    from change_position as position`.execute(db)
  const row = rows[0]
  if (!row || after > row.position || after < row.oldest - 1) return undefined
  return { changes: Missed.parse(row.changes ?? []), position: row.position }
}

/** Most changes that are kept, and for how long: a browser that slept through an hour fetches everything again. */
const mostKept = 100_000
const keptMs = 60 * 60_000

/** Removes changes that are too old or too many; gives how many. Safe to repeat. */
export async function deleteOldChanges(db: Db, now: Date): Promise<number> {
  const { seq } = await db.selectFrom('change_position').select('seq').executeTakeFirstOrThrow()
  const { numDeletedRows } = await db
    .deleteFrom('changes')
    .where((from) => from.or([from('seq', '<=', seq - mostKept), from('at', '<', new Date(now.getTime() - keptMs))]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
