import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDatabase, type Database, isNoAnswer } from '../index.ts'

/** Stands before PostgreSQL and passes everything on until `isSilent` is set. */
let relay: { port: number; isSilent: boolean; opened: number; close(): void }
let scratch: TestDatabase
let database: Database

beforeEach(async () => {
  scratch = await createTestDatabase({ empty: true })
  const url = new URL(scratch.url)
  relay = await openRelay(`${url.searchParams.get('host')}/.s.PGSQL.5432`)
  url.search = ''
  url.host = `127.0.0.1:${relay.port}`
  database = createDatabase({ connectionString: url.href }, { max: 1, queryTimeoutMs: 500 })
})
afterEach(async () => {
  await database.close()
  relay.close()
  await scratch.drop()
})

async function openRelay(path: string): Promise<typeof relay> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    relay.opened += 1
    const far = connect(path)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined) // either side may hang up
    }
    near.on('data', (data) => relay.isSilent || far.write(data))
    far.on('data', (data) => relay.isSilent || near.write(data))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has one
    isSilent: false,
    opened: 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isNoAnswer(error) ? 'no answer' : error),
  )

it.each([
  ['a query', () => one()],
  [
    'a transaction',
    () =>
      database.db.transaction().execute(async (trx) => {
        relay.isSilent = true
        await sql`select 1`.execute(trx)
      }),
  ],
])('%s of a database that fell silent is given up, and its connection with it', async (_, ask) => {
  await one()
  relay.isSilent = true
  expect(await failureOf(ask())).toBe('no answer')
  relay.isSilent = false
  expect(await one()).toEqual([{ one: 1 }])
  expect(relay.opened).toBe(2)
})

it('a statement that the database refuses is no silence', async () => {
  expect(await failureOf(sql`select nonsense`.execute(database.db))).toMatchObject({ code: '42703' })
})
