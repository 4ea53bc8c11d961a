import { createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../db/index.ts'
import { silentLog } from '../log.ts'
import { createChangeFeed, createListener, type Listener, notify, publishChange } from './index.ts'

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
  await until('the listener noticed', () => !listener.connected())
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
  it('tells an account of its own changes only', async () => {
    const feed = createChangeFeed(listener)
    const mine: unknown[] = []
    const theirs: unknown[] = []
    feed.subscribe('me', (change) => mine.push(change))
    const leave = feed.subscribe('them', (change) => theirs.push(change))
    await listener.ready()
    await publishChange(database.db, { account: 'them', topic: 'cluster', id: 'cl_1' })
    await publishChange(database.db, { account: 'me', topic: 'cluster', id: 'cl_2' })
    await until('mine arrived', () => mine.length === 1)
    expect(mine).toEqual([{ topic: 'cluster', id: 'cl_2' }])
    expect(theirs).toEqual([{ topic: 'cluster', id: 'cl_1' }])
    leave()
  })

  it('says hello to everyone after a gap: anything may have changed', async () => {
    const feed = createChangeFeed(listener)
    const heard: unknown[] = []
    feed.subscribe('me', (change) => heard.push(change))
    await listener.ready()
    await terminateListener()
    await until('hello arrived', () => heard.length > 0)
    expect(heard).toEqual([{ topic: 'hello', id: '' }])
  })
})
