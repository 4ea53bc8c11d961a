/**
 * Watchers: accounts with an open stream of changes on any process. Each process renews the rows of its own; one that
 * dies leaves them to lapse. Nothing waits for this: a new watcher is known within moments, one that left for at most
 * `keptMs`.
 */
import type { EventTopic } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { startTicker, type Ticker } from '../ticker.ts'
import type { ChangeFilter } from './change-store.ts'

interface WatchersTable {
  account: string
  everybodys: EventTopic[]
  until: Date
}

declare module '../db/index.ts' {
  interface Tables {
    watchers: WatchersTable
  }
}

const renewEveryMs = 10_000
/** How long somebody counts as a watcher without being renewed. */
const keptMs = 25_000

export interface Watchers {
  /** A stream was opened; each call is followed by one of `leave`. */
  enter(filter: ChangeFilter): void
  leave(filter: ChangeFilter): void
}

export function createWatchers({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Watchers {
  const streams = new Map<string, { filter: ChangeFilter; count: number }>()
  let ticker: Ticker | undefined

  async function renew(filters: ChangeFilter[]): Promise<void> {
    if (filters.length > 0) await upsertWatchers(db, clock.now(), filters)
  }

  return {
    enter(filter) {
      const held = streams.get(filter.account)
      streams.set(filter.account, { filter, count: (held?.count ?? 0) + 1 })
      renew([filter]).catch((error: unknown) => log.warn({ err: error }, 'figures stay still until the next renewal'))
      ticker ??= startTicker(renewEveryMs, log, 'renewing watchers', () =>
        renew([...streams.values()].map((stream) => stream.filter)),
      )
    },
    leave({ account }) {
      const held = streams.get(account)
      if (held && held.count > 1) streams.set(account, { ...held, count: held.count - 1 })
      else streams.delete(account)
      if (streams.size > 0) return
      void ticker?.stop()
      ticker = undefined
    },
  }
}

/** In order of the account, so that processes do not wait for each other in a circle. */
async function upsertWatchers(db: Db, now: Date, filters: ChangeFilter[]): Promise<void> {
  const until = new Date(now.getTime() + keptMs)
  const rows = filters
    .map(({ account, everybodys }) => ({ account, everybodys: [...everybodys], until }))
    .sort((a, b) => (a.account < b.account ? -1 : 1))
  await db
    .insertInto('watchers')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet({ everybodys: sql`excluded.everybodys`, until: sql`excluded.until` }),
    )
    .execute()
}

/** Whose changes of `topic` have a watcher now. */
export async function listWatched(db: Db, now: Date, topic: EventTopic): Promise<'everybody' | string[]> {
  const rows = await db.selectFrom('watchers').selectAll().where('until', '>', now).execute()
  return rows.some(({ everybodys }) => everybodys.includes(topic)) ? 'everybody' : rows.map(({ account }) => account)
}
