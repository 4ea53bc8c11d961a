/** Closing an account: what it stops, that it can be kept, and what has to be settled before. */
import { userClose, userClosing, userHolds, userInfo, userKeep } from '@atoll/contract/accounts'
import { customerSuspend, customersPage } from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { silentLog } from '../../platform/log.ts'
import { createOperator, type Operator } from '../staff/testing/operator.ts'

let app: TestApp
let operator: Operator
let customer: Person
let ids: Ids
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
  customer = await app.createPerson()
  ids = await createIds(app.database, customer)
  const { db } = app.database
  await sql`update accounts set email = 'lena@example.com' where account_id = ${customer.userid}`.execute(db)
  await sql`update account_holds set released_at = now()`.execute(db)
  await sql`update snapshots set state = 'Canceled', ended_at = now() where owner = ${customer.userid}`.execute(db)
  await sql`update restores set state = 'Canceled', box = null, ended_at = now() where owner = ${customer.userid}`.execute(
    db,
  )
  await sql`update invoices set state = 'void' where userid = ${customer.userid} and state = 'open'`.execute(db)
})
afterAll(() => app[Symbol.asyncDispose]())

const enforce = async () => {
  const job = app.system.jobs.find(({ name }) => name === 'staff.holds')
  await job?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
const statusOf = async (clusterId: string) =>
  (await sql<{ status: string }>`select status from clusters where id = ${clusterId}`.execute(app.database.db)).rows[0]
    ?.status
const shownState = async () =>
  (await operator.api.ask(customersPage, { search: customer.did.slice(0, 50) })).customers.map(({ state }) => state)

it('stops what runs at once, lets nothing begin, and brings it back when the account is kept', async () => {
  const { db } = app.database
  await sql`update clusters set status = 'running', desired = 'running' where id = ${ids.clusterId}`.execute(db)
  await sql`update instances set status = 'running', desired = 'running' where cluster_id = ${ids.clusterId}`.execute(
    db,
  )
  const before = await customer.api.ask(userClosing, {})
  expect(before.closing).toBeNull()
  await sql`update sessions set created_at = now() - interval '16 minutes' where userid = ${customer.userid}`.execute(
    db,
  )
  expect((await customer.api.send(userClose, {})).code).toBe(codes.forbidden)
  await sql`update sessions set created_at = now() where userid = ${customer.userid}`.execute(db)
  const { until } = await customer.api.ask(userClose, {})
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
  expect((await customer.api.send(userClose, {})).message).toContain('closing already')
  expect(await customer.api.ask(userInfo, {})).toMatchObject({ closesAt: until, isHeld: false })
  expect(await customer.api.ask(userHolds, {})).toEqual([])
  expect((await customer.api.ask(userClosing, {})).closing).toMatchObject({ until, byStaff: false })
  expect(await shownState()).toEqual(['closing'])

  await enforce()
  expect(await statusOf(ids.clusterId)).toBe('stopping')
  await sql`update clusters set status = 'stopped' where id = ${ids.clusterId}`.execute(db)
  await sql`update instances set status = 'stopped' where cluster_id = ${ids.clusterId}`.execute(db)

  // A suspension beside it neither hides nor ends it.
  const suspension = {
    accountId: customer.userid,
    scope: 'servers',
    why: 'abuse',
    text: 'Spam.',
    reason: 'spam was sent',
  }
  expect((await operator.act('suspend', customerSuspend, suspension)).code).toBe(codes.ok)
  expect(await shownState()).toEqual(['suspended'])
  await sql`update account_holds set until = now() - interval '1 s' where reason = 'abuse'`.execute(db)
  await enforce()
  expect(await shownState()).toEqual(['closing'])
  expect(await statusOf(ids.clusterId)).toBe('stopped')

  await customer.api.ask(userKeep, {})
  expect((await customer.api.send(userKeep, {})).message).toContain('not closing')
  await enforce()
  expect(await statusOf(ids.clusterId)).toBe('starting')
  expect(await customer.api.ask(userInfo, {})).toMatchObject({ closesAt: null })
  expect(await shownState()).toEqual(['active'])
  const { rows } = await sql`select id from mails where kind = 'account'`.execute(db)
  expect(rows).toHaveLength(2)
})

it('waits for what is owed or runs, and is not for staff', async () => {
  const { db } = app.database
  await sql`update snapshots set state = 'Pending', ended_at = null where owner = ${customer.userid}`.execute(db)
  expect((await customer.api.send(userClose, {})).message).toContain('backup or restore is running')
  await sql`update snapshots set state = 'Canceled', ended_at = now() where owner = ${customer.userid}`.execute(db)
  expect((await operator.api.send(userClose, {})).message).toContain('member of staff')
})
