import { createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, type Database, type Db, type Trx } from '../db/index.ts'
import { silentLog } from '../log.ts'
import {
  type ChangeFeed,
  createChangeFeed,
  createListener,
  deleteOldChanges,
  type Listener,
  notify,
  publishChange,
  storeOf,
  type Told,
} from './index.ts'

let scratch: TestDatabase
let database: Database
let listener: Listener

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  listener = await createListener({ connection: { connectionString: scratch.url }, log: silentLog })
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
  it('hears what was committed and not what was rolled back', async () => {
    const heard: unknown[] = []
    listener.on('news', (payload) => heard.push(payload))
    await listener.ready()
    const rollback = database.db.transaction().execute(async (trx) => {
      await notify(trx, 'news', { lost: true })
      throw new Error('rolled back')
    })
    await expect(rollback).rejects.toThrow('rolled back')
    await notify(database.db, 'news', { text: 'it’s 新' })
    await until('the notification arrived', () => heard.length > 0)
    expect(heard).toEqual([{ text: 'it’s 新' }])
  })

  it('comes back after its backend was terminated, says so, and hears again', async () => {
    const heard: unknown[] = []
    let resyncs = 0
    listener.on('news', (payload) => heard.push(payload))
    listener.onResync(() => {
      resyncs += 1
    })
    await listener.ready()
    await terminateListener()
    await notify(database.db, 'news', 'said while nobody listened')
    await until('it listens again', () => listener.connected() && resyncs === 1)
    await notify(database.db, 'news', 'said afterwards')
    await until('it hears again', () => heard.includes('said afterwards'))
    expect(resyncs).toBe(1)
  })

  it('goes on when a handler throws or a payload is no JSON', async () => {
    const heard: unknown[] = []
    listener.on('news', () => {
      throw new Error('a handler that fails')
    })
    listener.on('news', (payload) => heard.push(payload))
    await listener.ready()
    await database.pool.query("select pg_notify('news', 'no json')")
    await notify(database.db, 'news', 1)
    await until('the good one arrived', () => heard.length > 0)
    expect(heard).toEqual([1])
  })

  it('stops calling who has left', async () => {
    const heard: unknown[] = []
    const stay: unknown[] = []
    const leave = listener.on('news', (payload) => heard.push(payload))
    listener.on('news', (payload) => stay.push(payload))
    await listener.ready()
    leave()
    await notify(database.db, 'news', 1)
    await until('the other one heard', () => stay.length === 1)
    expect(heard).toEqual([])
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

  /** Follows as `account` and keeps what is told: `resync` and `on` for a hello, otherwise the object's id. */
  async function follow(feed: ChangeFeed, account: string, after?: number) {
    const told: Told[] = []
    const stop = await feed.follow({ filter: nobodyElses(account), after, tell: (item) => told.push(item), onLost })
    return {
      stop,
      told,
      ids: () => told.map((item) => (item.hello ? (item.resync ? 'resync' : 'on') : item.id)),
      last: () => told.at(-1)?.seq ?? Number.NaN,
    }
  }

  it('tells an account of its own changes only', async () => {
    const feed = feedOf()
    const mine = await follow(feed, 'me')
    const theirs = await follow(feed, 'them')
    await listener.ready()
    await publish('them', 'cl_1')
    await publish('me', 'cl_2')
    await until('mine arrived', () => mine.told.length === 2)
    expect(mine.ids()).toEqual(['resync', 'cl_2'])
    await until('theirs arrived', () => theirs.told.length === 2)
    expect(theirs.ids()).toEqual(['resync', 'cl_1'])
  })

  it('goes on where a follower was, whichever process it comes back to', async () => {
    const first = await follow(feedOf(), 'back')
    await listener.ready()
    await publish('back', 'cl_1')
    await until('the first arrived', () => first.told.length === 2)
    first.stop()
    await publish('back', 'cl_2')
    await publish('else', 'cl_x')
    await publish('back', 'cl_1')
    await publish('back', 'cl_2')
    const again = await follow(feedOf(), 'back', first.last())
    // Of several changes of one object the last is enough.
    expect(again.ids()).toEqual(['on', 'cl_1', 'cl_2'])
  })

  it('numbers changes in the order of their commits, not in that of their writing', async () => {
    const follower = await follow(feedOf(), 'order')
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
    await until('the quick one arrived', () => follower.ids().includes('cl_quick'))
    const comeBack = follower.last()
    gate.resolve()
    await slow
    await until('the slow one arrived', () => follower.ids().includes('cl_slow'))
    expect(follower.last()).toBeGreaterThan(comeBack)
    expect((await follow(feedOf(), 'order', comeBack)).ids()).toEqual(['on', 'cl_slow'])
  })

  it('loses nothing and repeats nothing while changes are written from all sides', async () => {
    const feed = feedOf()
    await listener.ready()
    const start = await follow(feed, 'busy')
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1) await publish('busy', `cl_${writer}_${n}`)
    })
    // One that leaves and comes back all the time.
    let after = start.last()
    const heard: string[] = []
    const done = Promise.all(writers)
    let writing = true
    void done.then(() => {
      writing = false
    })
    do {
      const turn = await follow(feed, 'busy', after)
      heard.push(...turn.ids().filter((id) => id !== 'on'))
      after = Math.max(after, ...turn.told.map((item) => item.seq))
      turn.stop()
    } while (writing)
    await done
    const rest = await follow(feed, 'busy', after)
    heard.push(...rest.ids().filter((id) => id !== 'on'))
    await until('the one that stayed heard all', () => start.told.length === 201)
    expect(heard).toHaveLength(200)
    expect(new Set(heard).size).toBe(200)
    expect(start.told.map((item) => item.seq)).toEqual(start.told.map((item) => item.seq).toSorted((a, b) => a - b))
  })

  it('reads what was said while it could not listen', async () => {
    const follower = await follow(feedOf(), 'gap')
    await listener.ready()
    await terminateListener()
    await publish('gap', 'cl_missed')
    await until('it arrived', () => follower.told.length > 1)
    expect(follower.ids()).toEqual(['resync', 'cl_missed'])
  })

  it('asks who was away too long, or comes from another database, to look at everything', async () => {
    const follower = await follow(feedOf(), 'old')
    const before = follower.last()
    await publish('old', 'cl_1')
    await publish('old', 'cl_2')
    expect((await follow(feedOf(), 'old', before)).ids()).toEqual(['on', 'cl_1', 'cl_2'])
    expect(await deleteOldChanges(database.db, new Date(Date.now() + 2 * 60 * 60_000))).toBeGreaterThan(0)
    expect((await follow(feedOf(), 'old', before)).ids()).toEqual(['resync'])
    const now = (await follow(feedOf(), 'old')).last()
    expect((await follow(feedOf(), 'old', now)).ids()).toEqual(['on'])
    expect((await follow(feedOf(), 'old', now + 1000)).ids()).toEqual(['resync'])
  })

  it('tells an account that sees everybody’s of the topics it may hear', async () => {
    const heard: string[] = []
    const tell = (item: Told) => heard.push(item.hello ? 'hello' : item.id)
    const filter = { account: 'admin', everybodys: ['cluster' as const] }
    await feedOf().follow({ filter, after: undefined, tell, onLost })
    await listener.ready()
    await publishChange(database.db, { account: 'one', topic: 'session', id: 'ss_1' })
    await publish('one', 'cl_1')
    await publishChange(database.db, { account: 'admin', topic: 'session', id: 'ss_2' })
    await until('its own arrived', () => heard.includes('ss_2'))
    expect(heard).toEqual(['hello', 'cl_1', 'ss_2'])
  })
})
