/** The abuse harness: from a host and a time to the customer, and a report from its writing to its end. */
import { abuseClose, abuseFind, abusePage, abuseReport } from '@atoll/contract/staff'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { silentLog } from '../../platform/log.ts'
import { notePresent } from './address-store.ts'
import { findOpenReports } from './report-store.ts'

let app: TestApp
let [support, customer]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  support = await app.createPerson('User', 'support')
  customer = await app.createPerson()
  await createIds(app.database, customer)
})
afterAll(() => app[Symbol.asyncDispose]())

const note = async () => {
  const job = app.system.jobs.find(({ name }) => name === 'abuse.addresses')
  await job?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}

it('finds who had a host at a time, below it too, and who has it now', async () => {
  if (!support || !customer) throw new Error('nobody is there')
  const { db } = app.database
  await note()
  await note()
  const { rows } = await sql<{ value: string; count: number }>`select value, count(*)::int as count
    from cluster_addresses group by value`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ count }) => count === 1)).toBe(true)
  const host = rows.find(({ value }) => value.includes('.'))?.value ?? ''
  await sql`update cluster_addresses set from_at = now() - interval '2 days'`.execute(db)

  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const { holders } = await support.api.ask(abuseFind, { what: `https://shop.${host}:8443/login`, at: at(1) })
  expect(holders[0]).toMatchObject({ person: { userid: customer.did }, value: host, until: null })
  expect((await support.api.ask(abuseFind, { what: host, at: at(3) })).holders).toEqual([])

  // It goes to another: the one before keeps its time.
  await db.transaction().execute((trx) => notePresent(trx, [], new Date()))
  const ended = (await support.api.ask(abuseFind, { what: host })).holders
  expect(ended.map(({ until }) => until !== null)).toEqual([true])
  expect((await support.api.ask(abuseFind, { what: host, at: at(1) })).holders).toHaveLength(1)

  await sql`update cluster_addresses set until_at = now() - interval '91 days'`.execute(db)
  await note()
  expect((await support.api.ask(abuseFind, { what: host, at: at(92) })).holders).toEqual([])
})

it('a report names the customer of then, waits first, and is closed once', async () => {
  if (!support || !customer) throw new Error('nobody is there')
  const { db } = app.database
  await sql`delete from abuse_reports`.execute(db)
  const { rows } = await sql<{ value: string }>`select value from cluster_addresses where until_at is null`.execute(db)
  const seenAt = new Date(Date.now() + 1000).toISOString()
  const facts = { seenAt, reporter: 'abuse@bank.example', text: 'A copy of our page.' }
  const about = async (what: string) => await support?.api.ask(abuseReport, { what, ...facts })
  expect((await about('203.0.113.9'))?.person).toBeNull()
  expect((await about(rows[0]?.value ?? ''))?.person).toMatchObject({ userid: customer.did })
  expect(await findOpenReports(db)).toMatchObject([{ severity: 'warning', facts: { count: 2 } }])
  const { reports } = await support.api.ask(abusePage, {})
  const reportId = reports[0]?.reportId ?? ''
  const closing = { reportId, outcome: 'notOurs', text: 'The address is not ours.' } as const
  await support.api.ask(abuseClose, closing)
  expect((await support.api.send(abuseClose, closing)).code).toBe(409)
  expect((await support.api.ask(abusePage, {})).reports.map(({ closed }) => closed?.outcome)).toEqual([
    ...[undefined, 'notOurs'],
  ])
  expect(await findOpenReports(db)).toMatchObject([{ facts: { count: 1 } }])
})
