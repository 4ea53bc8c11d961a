/** Customers as staff find and open them, and what a customer learns of that. */
import { avatarSet, userInfo, userSupportAnswer, userSupportAsk } from '@atoll/contract/accounts'
import { auditPage } from '@atoll/contract/audit'
import { invoicesExportPath, invoicesPage, timeTravel } from '@atoll/contract/billing'
import { clusterActivation, clusterStop, instanceDetails } from '@atoll/contract/clusters'
import {
  booksPath,
  customerLook,
  customerNote,
  customerShow,
  customersExportPath,
  customersPage,
  moneyShow,
  systemShow,
} from '@atoll/contract/staff'
import { type Call, codes, lookHeader, mayLook } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { bodyOf, calls, send } from '../../authorization/testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { findName } from '../accounts/index.ts'

let app: TestApp
let support: Person
let customer: Person
let ids: Ids
let name: string
beforeAll(async () => {
  app = await openTestApp()
  await app.createPerson('User', 'operator')
  ;[support, customer] = [await app.createPerson('User', 'support'), await app.createPerson()]
  ids = await createIds(app.database, customer)
  name = (await findName(app.database.db, customer.userid)) ?? ''
})
afterAll(() => app[Symbol.asyncDispose]())

const found = async (search: string) =>
  (await support.api.ask(customersPage, { search })).customers.map(({ person }) => person.userid)

describe('the list', () => {
  it('finds a customer by the beginning of ID and DID, anywhere in the ID, and by an invoice number', async () => {
    const { rows } = await sql<{ number: string }>`select number from invoices
      where userid = ${customer.userid} limit 1`.execute(app.database.db)
    for (const search of [name, name.slice(0, 6), name.slice(3, 9), customer.did.slice(0, 45), rows[0]?.number ?? '']) {
      expect([search, await found(search)]).toEqual([search, [customer.did]])
    }
    expect(await found('nobody%')).toEqual([])
  })

  it('finds a customer by a payment, a cluster, and the host or address it has now', async () => {
    const { rows } = await sql<{ name: string }>`update clusters set name = 'Anaa of this test'
      where id = ${ids.clusterId} returning name`.execute(app.database.db)
    const hold = (value: string, until: string | null) =>
      sql`
      insert into cluster_addresses (value, cluster_id, account_id, from_at, until_at)
      values (${value}, ${ids.clusterId}, ${customer.userid}, now(), ${until}::timestamptz)`.execute(app.database.db)
    await hold('shop.example', null)
    await hold('2001:db8::7', null)
    await hold('gone.example', '2026-01-01')
    for (const search of [ids.paymentId, ids.clusterId, rows[0]?.name.toUpperCase() ?? '', 'www.shop.example'])
      expect([search, await found(search)]).toEqual([search, [customer.did]])
    expect(await found('2001:db8:0::7')).toEqual([customer.did])
    for (const search of ['gone.example', 'someone@shop.example', 'Anaa of'])
      expect([search, await found(search)]).toEqual([search, []])
  })

  it('shows who was seen last first, with state and figures, and narrows by them', async () => {
    await sql`update account_visits set last_seen_at = now() + interval '1 hour'
      where userid = ${customer.userid}`.execute(app.database.db)
    const [first] = (await support.api.ask(customersPage, {})).customers
    expect(first).toMatchObject({ person: { userid: customer.did }, state: 'active', clusters: 2, planLevel: 0 })
    expect((await support.api.ask(customersPage, { state: 'pastDue' })).rowsNumber).toBe(0)
    for (const sort of ['name', 'owed', 'balance'] as const)
      expect((await support.api.ask(customersPage, { sort })).rowsNumber).toBe(3)
  })

  it('is exported to staff alone', async () => {
    const post = async ({ api }: Person) => {
      const headers = { ...api.credentials, 'content-type': 'application/json' }
      return await (await fetch(app.origin + customersExportPath, { method: 'POST', headers, body: '{}' })).text()
    }
    expect(await post(support)).toContain(customer.did)
    for (const other of [customer, await app.createPerson('Admin')])
      expect(JSON.parse(await post(other))).toMatchObject({ code: codes.notFound })
  })

  it('is exported on the record, and to who signed in within a quarter of an hour', async () => {
    const other = await app.createPerson('User', 'support')
    const post = async (body: object) => {
      const headers = { ...other.api.credentials, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return await (await fetch(app.origin + customersExportPath, init)).text()
    }
    await post({ search: name })
    expect((await other.api.ask(auditPage, { kind: 'support' })).records).toMatchObject([
      { action: 'support.export', after: { rows: 1, filter: JSON.stringify({ search: name }) } },
    ])
    await sql`update sessions set created_at = created_at - interval '16 minutes'
      where userid = ${other.userid}`.execute(app.database.db)
    expect(JSON.parse(await post({}))).toMatchObject({ code: codes.forbidden })
    expect((await other.api.ask(auditPage, { kind: 'support' })).records.length).toBe(1)
  })
})

describe('a customer’s page', () => {
  const looks = async () => (await customer.api.ask(auditPage, { kind: 'support' })).records

  it('is shown once a reason is given, which the customer reads without a name', async () => {
    const { accountId } = ids
    expect(await support.api.ask(customerShow, { accountId })).toMatchObject({ look: null, customer: null })
    expect(await looks()).toEqual([])
    await support.api.ask(customerLook, { accountId, reason: 'asked by mail' })
    const { customer: shown } = await support.api.ask(customerShow, { accountId })
    expect(shown).toMatchObject({ person: { userid: customer.did }, clusterList: [{}, {}], domains: [{}] })
    expect(shown?.cards).toEqual([{ brand: 'visa', last4: '4242', isDefault: false }])
    expect(await looks()).toMatchObject([
      { action: 'support.look', actor: null, ip: null, after: { reason: 'asked by mail' } },
    ])
    expect((await customer.api.ask(auditPage, { actor: support.did })).records).toEqual([])
  })

  it('is one record within ten minutes, and asks for a reason again after a day', async () => {
    const { accountId } = ids
    const age = (interval: string) =>
      sql`update support_looks set begun_at = begun_at - ${interval}::interval,
        recorded_at = recorded_at - ${interval}::interval`.execute(app.database.db)
    await support.api.ask(customerShow, { accountId })
    expect((await looks()).length).toBe(1)
    await age('11 minutes')
    await Promise.all([1, 2].map(() => support.api.ask(customerShow, { accountId })))
    expect((await looks()).length).toBe(2)
    await age('1 day')
    expect(await support.api.ask(customerShow, { accountId })).toMatchObject({ look: null, customer: null })
  })

  it('keeps notes for staff alone', async () => {
    const { accountId } = ids
    await support.api.ask(customerLook, { accountId, reason: 'writes a note' })
    await support.api.ask(customerNote, { accountId, text: 'Asked by mail.' })
    const { customer: shown } = await support.api.ask(customerShow, { accountId })
    expect(shown?.notes).toMatchObject([{ text: 'Asked by mail.', by: { userid: support.did } }])
    expect(JSON.stringify((await customer.api.ask(auditPage, {})).records)).not.toContain('Asked by mail.')
  })

  it('holds no secret of the customer’s', async () => {
    const { accountId } = ids
    const { rows } = await sql<{ secret: string }>`
      select token_hash as secret from sessions where userid = ${customer.userid}
      union all select customer_ref from payment_methods where userid = ${customer.userid} and customer_ref <> userid
      union all select card_ref from payment_methods where userid = ${customer.userid}`.execute(app.database.db)
    await support.api.ask(customerLook, { accountId, reason: 'looks for secrets' })
    const answer = JSON.stringify(await support.api.ask(customerShow, { accountId }))
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ secret }) => answer.includes(secret))).toEqual([])
  })
})

describe('looking as the customer', () => {
  const look = (call: Call, who = support) => who.api.send(call, bodyOf(call, ids), { lookAs: ids.accountId })

  it('shows staff what the customer reads, once a reason is given, on the record', async () => {
    const other = await app.createPerson('User', 'support')
    const message = 'Say why you open this customer first.'
    expect(await look(userInfo, other)).toMatchObject({ code: codes.conflict, message })
    await other.api.ask(customerLook, { accountId: ids.accountId, reason: 'sees an empty page' })
    const [record] = (await customer.api.ask(auditPage, { kind: 'support' })).records
    expect(record).toMatchObject({ action: 'support.look', after: { reason: 'sees an empty page' } })
    expect(await look(userInfo, other)).toMatchObject({ data: { userid: customer.did, staff: null } })
    for (const call of [instanceDetails, invoicesPage, auditPage]) {
      const [seen, own] = [await look(call, other), await send(customer, call, ids)]
      expect([call.name, seen]).toEqual([call.name, { ...own, code: codes.ok }])
    }
  })

  it('changes nothing, opens nothing that is the owner’s alone, and is for staff alone', async () => {
    const refused = { code: codes.forbidden, message: expect.stringContaining('nothing can be changed') }
    expect(calls.filter((call) => call.reads && !['read', 'page', 'costly'].includes(call.rate))).toEqual([])
    for (const call of [clusterStop, clusterActivation, avatarSet, timeTravel, customerNote])
      expect([call.name, mayLook(call), await look(call)]).toMatchObject([call.name, false, refused])
    expect(await look(userInfo, customer)).toMatchObject({ code: codes.notFound })
    const headers = { ...support.api.credentials, [lookHeader]: ids.accountId }
    const file = await fetch(`${app.origin}${invoicesExportPath}`, { method: 'POST', headers })
    expect(await file.json()).toMatchObject({ code: codes.forbidden })
  })
})

describe('support where the customer’s consent is asked', () => {
  let asked: TestApp
  let other: Person
  let [asker, second]: Person[] = []
  beforeAll(async () => {
    asked = await openTestApp({ ATOLL_SUPPORT_CONSENT: 'asked' })
    other = await asked.createPerson()
    ;[asker, second] = [await asked.createPerson('User', 'support'), await asked.createPerson('User', 'support')]
    await sql`update accounts set email = 'anna@mail.example' where account_id = ${other.userid}`.execute(
      asked.database.db,
    )
  })
  afterAll(() => asked[Symbol.asyncDispose]())
  const by = (person: Person | undefined) => (person ?? other).api
  const look = async (person = asker) => {
    const { customer: shown, waits } = await by(person).ask(customerShow, { accountId: other.userid })
    return shown ? 'shown' : waits ? 'waits' : 'reason'
  }
  const begin = (reason: string, person = asker) => by(person).ask(customerLook, { accountId: other.userid, reason })
  const answer = (reason: string, allows: boolean) => by(other).ask(userSupportAnswer, { allows, reason })
  const post = async (path: string, body: object, person = asker) => {
    const headers = { ...by(person).credentials, 'content-type': 'application/json' }
    return await (await fetch(asked.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }

  it('waits for the customer, who allows a look for a day or not; operators do not ask', async () => {
    const told = async () =>
      (await by(other).ask(auditPage, { kind: 'support' })).records.map(({ action }) => action).toReversed()
    const reason = 'asked by mail'
    expect((await by(other).send(userSupportAnswer, { allows: true, reason })).code).toBe(codes.conflict)
    await begin(reason)
    expect(await look()).toBe('waits')
    expect(await by(other).ask(userInfo, {})).toMatchObject({ isHeld: true })
    expect(await by(other).ask(userSupportAsk, {})).toEqual({ reason })
    // Consent is to the reason that was read, and to no other one that support gave since then.
    expect((await by(other).send(userSupportAnswer, { allows: true, reason: 'another' })).code).toBe(codes.conflict)
    await answer(reason, false)
    expect(await look()).toBe('reason')
    await begin(reason)
    await answer(reason, true)
    expect(await look()).toBe('shown')
    expect(await by(other).ask(userInfo, {})).toMatchObject({ isHeld: false })
    expect(await told()).toEqual([
      ...['support.askLook', 'support.decline', 'support.askLook', 'support.allow', 'support.look'],
    ])
    await sql`update support_consents set answered_at = answered_at - interval '1 day'`.execute(asked.database.db)
    // Nobody asks the customer now: support has to say why again, and is not told to wait.
    expect(await look()).toBe('reason')
    await begin('asked again')
    expect(await look()).toBe('waits')
    expect(await by(other).ask(userSupportAsk, {})).toEqual({ reason: 'asked again' })
    const operator = await asked.createPerson('User', 'operator')
    await begin(reason, operator)
    expect(await look(operator)).toBe('shown')
    await answer('asked again', true)
  })

  it('sees what one of them was allowed, and no other', async () => {
    await begin('a second pair of eyes', second)
    expect([await look(), await look(second)]).toEqual(['shown', 'waits'])
    expect(await by(other).ask(userSupportAsk, {})).toEqual({ reason: 'a second pair of eyes' })
    await answer('a second pair of eyes', false)
    expect([await look(), await look(second)]).toEqual(['shown', 'reason'])
  })

  it('reads of the others in lists, their files and on the page of money neither email nor money, and no books', async () => {
    const list = async (person: Person | undefined, search?: string) =>
      (await by(person).ask(customersPage, { sort: 'owed', ...(search && { search }) })).customers.filter(
        ({ person: whose }) => whose.accountId === other.userid,
      )
    expect(await list(asker)).toMatchObject([{ email: 'anna@mail.example', balance: 0, owed: 0 }])
    expect(await list(second)).toMatchObject([{ email: null, balance: null, owed: null, monthly: null }])
    expect([await list(second, 'anna@'), (await list(second, 'anna@mail.example')).length]).toEqual([[], 1])
    expect(await post(customersExportPath, {})).toContain('anna@mail.example')
    expect(await post(customersExportPath, {}, second)).not.toContain('anna@mail.example')
    const books = JSON.parse(await post(booksPath('payments'), { month: '2026-01', currency: 'usd' }))
    expect(books).toMatchObject({ code: codes.forbidden })
    await sql`insert into adopted_captures (id, userid, gateway, gateway_ref, currency, amount_minor, adopted_at)
      values ('pay_late', ${other.userid}, 'sandbox', 'sb_late', 'usd', 900, now())`.execute(asked.database.db)
    await sql`insert into disputes (id, userid, capture_id, gateway, gateway_ref, currency, amount_minor,
        withdrawn_minor, lost_minor, lost_cash_minor, state, reason, moves, opened_at)
      values ('dp_late', ${other.userid}, 'pay_late', 'sandbox', 'sb_late', 'usd', 900, 900, 0, 0, 'open', 'fraudulent',
        1, now())`.execute(asked.database.db)
    const disputed = async (person: Person | undefined) =>
      (await by(person).ask(moneyShow, { currency: 'usd' })).disputes.map(({ amount }) => amount)
    expect([await disputed(asker), await disputed(second)]).toEqual([[900], []])
  })

  it('reads no address of mails that were not delivered, nor any in the answers of the mail server', async () => {
    await sql`insert into mails (id, userid, kind, recipient, locale, state, failure, attempts, created_at, usable_until,
        ended_at)
      values ('ml_00000000000000a1', ${other.userid}, 'billing', 'anna@mail.example', 'en-US', 'failed',
        '550 <anna@mail.example>: no such user', 1, now(), now(), now())`.execute(asked.database.db)
    const undelivered = async (person: Person | undefined) =>
      (await by(person).ask(systemShow, {})).mail.undelivered.map(({ recipient, problem }) => [recipient, problem])
    expect(await undelivered(second)).toEqual([['…', '550 <…>: no such user']])
    expect(await undelivered(await asked.createPerson('User', 'operator'))).toEqual([
      ['anna@mail.example', '550 <anna@mail.example>: no such user'],
    ])
  })
})
