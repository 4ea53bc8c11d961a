import { until } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Trx } from '../db/index.ts'
import { useDatabase } from '../db/testing/use-database.ts'
import { silentLog } from '../log.ts'
import { deleteOldChanges } from './change-store.ts'
import {
  type ChangeFeed,
  createChangeFeed,
  createListener,
  type FeedItem,
  type Listener,
  notify,
  publishChange,
  storeOf,
} from './index.ts'

const database = useDatabase()
let listener: Listener

beforeEach(async () => {
  listener = await createListener({ connection: { connectionString: database.url }, log: silentLog })
})
afterEach(() => listener.close())

/** Ends the listener's connection from the other side, as a restart of PostgreSQL does. */
async function terminateListener(): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'atoll listener' and datname = current_database()`,
  )
  // It is back 50 ms later.
  await until('the listener noticed', () => !listener.connected(), { intervalMs: 5 })
}

describe('a listener', () => {
  it('receives what was committed and not what was rolled back', async () => {
    const received: unknown[] = []
    listener.on('news', (payload) => received.push(payload))
    await listener.ready()
    const rollback = database.db.transaction().execute(async (trx) => {
      await notify(trx, 'news', { lost: true })
      throw new Error('rolled back')
    })
    await expect(rollback).rejects.toThrow('rolled back')
    await notify(database.db, 'news', { text: 'it’s 新' })
    await until('the notification arrived', () => received.length > 0)
    expect(received).toEqual([{ text: 'it’s 新' }])
  })

  it('comes back after its backend was terminated, says so, and receives again', async () => {
    const received: unknown[] = []
    let resyncs = 0
    listener.on('news', (payload) => received.push(payload))
    listener.onResync(() => {
      resyncs += 1
    })
    await listener.ready()
    await terminateListener()
    await notify(database.db, 'news', 'said while nobody listened')
    await until('it listens again', () => listener.connected() && resyncs === 1)
    await notify(database.db, 'news', 'said afterwards')
    await until('it receives again', () => received.includes('said afterwards'))
    expect(resyncs).toBe(1)
  })

  it('goes on when a handler throws or a payload is no JSON', async () => {
    const received: unknown[] = []
    listener.on('news', () => {
      throw new Error('a handler that fails')
    })
    listener.on('news', (payload) => received.push(payload))
    await listener.ready()
    await database.pool.query("select pg_notify('news', 'no json')")
    await notify(database.db, 'news', 1)
    await until('the good one arrived', () => received.length > 0)
    expect(received).toEqual([1])
  })

  it('stops calling who has left', async () => {
    const received: unknown[] = []
    const stay: unknown[] = []
    const leave = listener.on('news', (payload) => received.push(payload))
    listener.on('news', (payload) => stay.push(payload))
    await listener.ready()
    leave()
    await notify(database.db, 'news', 1)
    await until('the other one received it', () => stay.length === 1)
    expect(received).toEqual([])
  })

  it('refuses a payload that PostgreSQL would not carry', async () => {
    await expect(notify(database.db, 'news', 'x'.repeat(8000))).rejects.toThrow(/7999 bytes/)
  })
})

describe('the change feed', () => {
  const nobodyElses = (account: string) => ({ account, everybodys: [] })
  const feedOf = () => createChangeFeed(listener, storeOf(database.db), silentLog)
  const publish = (account: string, id: string, db: Db | Trx = database.db) =>
    publishChange(db, { account, topic: 'cluster', id })
  const onLost = () => {
    throw new Error('the feed gave up')
  }

  /** Subscribes as `account` and keeps what is sent: `resync` and `on` for `ready`, otherwise the object's id. */
  async function subscribe(feed: ChangeFeed, account: string, after?: number) {
    const sent: FeedItem[] = []
    const filter = nobodyElses(account)
    const stop = await feed.subscribe({ filter, after, publish: (item) => sent.push(item), onLost })
    return {
      stop,
      sent,
      ids: () => sent.map((item) => (item.ready ? (item.resync ? 'resync' : 'on') : item.id)),
      last: () => sent.at(-1)?.seq ?? Number.NaN,
    }
  }

  it('publishes to an account of its own changes only', async () => {
    const feed = feedOf()
    const mine = await subscribe(feed, 'me')
    const theirs = await subscribe(feed, 'them')
    await listener.ready()
    await publish('them', 'cl_1')
    await publish('me', 'cl_2')
    await until('mine arrived', () => mine.sent.length === 2)
    expect(mine.ids()).toEqual(['resync', 'cl_2'])
    await until('theirs arrived', () => theirs.sent.length === 2)
    expect(theirs.ids()).toEqual(['resync', 'cl_1'])
  })

  it('goes on where a subscriber was, whichever process it comes back to', async () => {
    const first = await subscribe(feedOf(), 'back')
    await listener.ready()
    await publish('back', 'cl_1')
    await until('the first arrived', () => first.sent.length === 2)
    first.stop()
    await publish('back', 'cl_2')
    await publish('else', 'cl_x')
    await publish('back', 'cl_1')
    await publish('back', 'cl_2')
    const again = await subscribe(feedOf(), 'back', first.last())
    // Of several changes of one object the last is enough.
    expect(again.ids()).toEqual(['on', 'cl_1', 'cl_2'])
  })

  it('numbers changes in the order of their commits, not in that of their writing', async () => {
    const subscriber = await subscribe(feedOf(), 'order')
    await listener.ready()
    const written = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow = database.db.transaction().execute(async (trx) => {
      await publish('order', 'cl_slow', trx)
      written.resolve()
      await gate.promise
    })
    await written.promise
    await publish('order', 'cl_quick')
    await until('the quick one arrived', () => subscriber.ids().includes('cl_quick'))
    const comeBack = subscriber.last()
    gate.resolve()
    await slow
    await until('the slow one arrived', () => subscriber.ids().includes('cl_slow'))
    expect(subscriber.last()).toBeGreaterThan(comeBack)
    expect((await subscribe(feedOf(), 'order', comeBack)).ids()).toEqual(['on', 'cl_slow'])
  })

  it('loses nothing and repeats nothing while changes are written from all sides', async () => {
    const feed = feedOf()
    await listener.ready()
    const start = await subscribe(feed, 'busy')
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1) await publish('busy', `cl_${writer}_${n}`)
    })
    // One that leaves and comes back all the time.
    let after = start.last()
    const received: string[] = []
    const done = Promise.all(writers)
    let writing = true
    void done.then(() => {
      writing = false
    })
    do {
      const turn = await subscribe(feed, 'busy', after)
      received.push(...turn.ids().filter((id) => id !== 'on'))
      after = Math.max(after, ...turn.sent.map((item) => item.seq))
      turn.stop()
    } while (writing)
    await done
    const rest = await subscribe(feed, 'busy', after)
    received.push(...rest.ids().filter((id) => id !== 'on'))
    await until('the one that stayed received all', () => start.sent.length === 201)
    expect(received).toHaveLength(200)
    expect(new Set(received).size).toBe(200)
    expect(start.sent.map((item) => item.seq)).toEqual(start.sent.map((item) => item.seq).toSorted((a, b) => a - b))
  })

  it('reads what was said while it could not listen', async () => {
    const subscriber = await subscribe(feedOf(), 'gap')
    await listener.ready()
    await terminateListener()
    await publish('gap', 'cl_missed')
    await until('it arrived', () => subscriber.sent.length > 1)
    expect(subscriber.ids()).toEqual(['resync', 'cl_missed'])
  })

  it('asks who was away too long, or comes from another database, to fetch everything', async () => {
    const subscriber = await subscribe(feedOf(), 'old')
    const before = subscriber.last()
    await publish('old', 'cl_1')
    await publish('old', 'cl_2')
    expect((await subscribe(feedOf(), 'old', before)).ids()).toEqual(['on', 'cl_1', 'cl_2'])
    expect(await deleteOldChanges(database.db, new Date(Date.now() + 2 * 60 * 60_000))).toBeGreaterThan(0)
    expect((await subscribe(feedOf(), 'old', before)).ids()).toEqual(['resync'])
    const now = (await subscribe(feedOf(), 'old')).last()
    expect((await subscribe(feedOf(), 'old', now)).ids()).toEqual(['on'])
    expect((await subscribe(feedOf(), 'old', now + 1000)).ids()).toEqual(['resync'])
  })

  it('publishes to an account that sees everybody’s of the topics it may see', async () => {
    const received: string[] = []
    const publishItem = (item: FeedItem) => received.push(item.ready ? 'ready' : item.id)
    const filter = { account: 'admin', everybodys: ['cluster' as const] }
    await feedOf().subscribe({ filter, after: undefined, publish: publishItem, onLost })
    await listener.ready()
    await publishChange(database.db, { account: 'one', topic: 'session', id: 'ss_1' })
    await publish('one', 'cl_1')
    await publishChange(database.db, { account: 'admin', topic: 'session', id: 'ss_2' })
    await until('its own arrived', () => received.includes('ss_2'))
    expect(received).toEqual(['ready', 'cl_1', 'ss_2'])
  })
})
