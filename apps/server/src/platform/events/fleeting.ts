/**
 * Changes that come every few seconds, and of which only the next one matters: published without a number to open
 * streams, neither kept nor replayed to who comes back. Each object's at most once in an interval, over all processes.
 */
import type { EventTopic } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** The channel of changes without a number. */
export const fleetingChannel = 'atoll_fleeting_change'

interface FleetingChangesTable {
  topic: EventTopic
  object_id: string
  at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    fleeting_changes: FleetingChangesTable
  }
}

export interface FleetingChange {
  /** Userid of who owns the object. */
  account: string
  id: string
}

/**
 * Publishes `changes` at `now`, but of no object that was published less than `everyMs` ago: those are returned, to
 * be published later. The claim is one row an object, so that two processes never both publish.
 */
export async function publishFleeting(
  db: Db,
  now: Date,
  topic: EventTopic,
  changes: readonly FleetingChange[],
  everyMs: number,
): Promise<FleetingChange[]> {
  if (changes.length === 0) return []
  const before = new Date(now.getTime() - everyMs)
  const { rows } = await sql<FleetingChange & { published: boolean }>`
    with changed as (
      select * from unnest(${changes.map(({ account }) => account)}::text[], ${changes.map(({ id }) => id)}::text[])
        as changed (account, id)
    ), claimed as (
      insert into fleeting_changes (topic, object_id, at)
      select ${topic}, id, ${now} from changed order by id
      on conflict (topic, object_id) do update set at = excluded.at where fleeting_changes.at <= ${before}
      returning object_id
    ), published as (
      select object_id, pg_notify(${fleetingChannel},
        json_build_object('account', account, 'topic', ${topic}::text, 'id', id)::text)
      from claimed join changed on id = object_id
    )
    select account, id, published.object_id is not null as published
    from changed left join published on object_id = id`.execute(db)
  return rows.filter(({ published }) => !published).map(({ account, id }) => ({ account, id }))
}

/** Kept after it was published, ms: long after any interval. */
const keptMs = 60_000

/** Removes rows of objects no longer published, and of accounts whose streams ended. Safe to repeat. */
export async function deleteLapsed(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('fleeting_changes')
    .where('at', '<', new Date(now.getTime() - keptMs))
    .execute()
  await db.deleteFrom('watchers').where('until', '<', now).execute()
}
