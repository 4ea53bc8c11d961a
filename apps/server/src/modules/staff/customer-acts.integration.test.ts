/** Acts of operators that need no approval, from outside: done, recorded, and refused to everybody else. */
import { userInfo } from '@atoll/contract/accounts'
import { auditPage } from '@atoll/contract/audit'
import { customerInfo, spendCapSet } from '@atoll/contract/billing'
import {
  customerCoupon,
  customerCredit,
  customerCurrency,
  customerEmailReset,
  customerLook,
  customerMail,
  customerQuota,
  customerShow,
  customerSignOut,
  customerSuspend,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { Coupon } from '../catalog/index.ts'
import { createOperator, type Operator } from './testing/operator.ts'

const reason = 'asked by mail'
const address = 'noor@mail.example'

let app: TestApp
let operator: Operator
let support: Person
let customer: Person
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
  support = await app.createPerson('User', 'support')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  customer = await app.createPerson()
})

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.database.db)
const linkEmail = () => run(sql`update accounts set email = ${address} where account_id = ${customer.userid}`)
async function shown() {
  await operator.api.ask(customerLook, { accountId: customer.userid, reason })
  const { customer: detail } = await operator.api.ask(customerShow, { accountId: customer.userid })
  if (!detail) throw new Error('the customer was looked at')
  return detail
}
/** The records of staff's acts that the customer reads in their activity. */
async function told() {
  const { records } = await customer.api.ask(auditPage, { kind: 'support' })
  expect(JSON.stringify(records)).not.toContain(operator.userid)
  expect(JSON.stringify(records)).not.toContain(operator.did)
  return records.filter(({ action }) => action !== 'support.look')
}
const mails = async () =>
  (await run(sql`select kind, recipient from mails where userid = ${customer.userid} order by created_at, kind`)).rows

describe('an operator', () => {
  it('grants vCPU, and takes the grant back with 0', async () => {
    const accountId = customer.userid
    const { vCpuQuota: included } = await shown()
    const vCpu = included + 48
    await operator.api.ask(customerQuota, { accountId, vCpu, reason })
    expect((await shown()).vCpuQuota).toBe(vCpu)
    expect(await told()).toMatchObject([
      { action: 'support.quota', actor: null, before: { vCpu: '0' }, after: { vCpu: String(vCpu), reason } },
    ])
    await operator.api.ask(customerQuota, { accountId, vCpu: 0, reason })
    expect((await shown()).vCpuQuota).toBe(included)
  })

  it('redeems a coupon once, and none that does not exist', async () => {
    const accountId = customer.userid
    const code = 'REEF10'
    app.system.catalog.current().coupons.push(Coupon.parse({ code, percentOff: 10, duration: 'once' }))
    const refused = await operator.api.send(customerCoupon, { accountId, code: 'NOSUCH', reason })
    expect(refused.message).toContain('NOSUCH')
    expect(await told()).toEqual([])
    await operator.api.ask(customerCoupon, { accountId, code, reason })
    expect(await told()).toMatchObject([{ action: 'support.coupon', actor: null, after: { code, reason } }])
    expect((await operator.api.send(customerCoupon, { accountId, code, reason })).code).not.toBe(codes.ok)
  })

  it('corrects the currency and its zone until something was booked or ordered', async () => {
    const accountId = customer.userid
    const change = (currency: 'usd' | 'cny') => operator.api.send(customerCurrency, { accountId, currency, reason })
    expect((await change('cny')).code).toBe(codes.ok)
    expect(await customer.api.ask(customerInfo, {})).toMatchObject({ currency: 'cny' })
    expect(await shown()).toMatchObject({ currency: 'cny', zone: 'UTC+8' })
    expect(await told()).toMatchObject([
      { action: 'support.currency', actor: null, before: { currency: 'usd' }, after: { currency: 'cny', reason } },
    ])
    await customer.api.ask(spendCapSet, { amount: 20_000 })
    expect((await change('usd')).message).toContain('the currency stays')
    await customer.api.ask(spendCapSet, {})
    await operator.act('credit', customerCredit, { accountId, amount: 100, kind: 'cash', reason })
    expect(await change('usd')).toMatchObject({
      code: codes.conflict,
      message: expect.stringContaining('the currency stays'),
    })
    expect(await shown()).toMatchObject({ currency: 'cny' })
  })

  it('corrects no currency of who ordered, though nothing was paid', async () => {
    const { accountId } = await createIds(app.database, customer)
    const asked = await operator.api.send(customerCurrency, { accountId, currency: 'cny', reason })
    expect(asked.message).toContain('the currency stays')
  })

  it('unlinks an email, of which the old address is told, and none where none is linked', async () => {
    const accountId = customer.userid
    expect((await operator.api.send(customerEmailReset, { accountId, reason })).message).toContain('no email')
    await linkEmail()
    await operator.api.ask(customerEmailReset, { accountId, reason })
    expect((await shown()).email).toBe(null)
    expect(await mails()).toEqual([{ kind: 'emailUnlinked', recipient: address }])
    expect(await told()).toMatchObject([{ action: 'support.resetEmail', actor: null, after: { reason } }])
  })

  it('ends every session', async () => {
    const accountId = customer.userid
    await createIds(app.database, customer)
    expect((await shown()).sessions.length).toBe(2)
    const seen = await told()
    await operator.api.ask(customerSignOut, { accountId, reason })
    expect((await customer.api.send(userInfo, {})).code).toBe(codes.signedOut)
    expect((await shown()).sessions).toEqual([])
    expect(seen).toEqual([])
    const { rows } = await run(sql`select action, after::jsonb ->> 'sessions' as sessions from audit_entries
      where action = 'support.signOut' and owner = ${customer.did}`)
    expect(rows).toEqual([{ action: 'support.signOut', sessions: '2' }])
  })

  it('sends a mail once under one key, and none without an address', async () => {
    const accountId = customer.userid
    const mail = { accountId, subject: 'Your question', text: 'It is done.\n\nWrite again.' }
    expect((await operator.api.send(customerMail, mail)).message).toContain('no email')
    await linkEmail()
    const requestId = 'the-same-question'
    await operator.api.ask(customerMail, { ...mail, requestId })
    await operator.api.ask(customerMail, { ...mail, requestId })
    expect((await shown()).mails).toMatchObject([{ kind: 'staffMessage', to: address, state: 'waiting' }])
    expect(await told()).toMatchObject([{ action: 'support.mail', actor: null, after: { subject: mail.subject } }])
  })
})

describe('a suspension', () => {
  it('is mailed to the linked email', async () => {
    await linkEmail()
    const text = 'Tell us why it sends so many mails.'
    const about = { accountId: customer.userid, scope: 'servers', why: 'abuse', text, reason: 'was reported' }
    const held = await operator.act('suspend', customerSuspend, {
      ...about,
      answerBy: new Date(Date.now() + 1e9).toISOString(),
    })
    expect(held.code).toBe(codes.ok)
    expect(await mails()).toEqual([{ kind: 'suspended', recipient: address }])
  })
})

describe('everybody else', () => {
  const body = () => ({ accountId: customer.userid, reason })
  const asks = [
    ['customerQuota', customerQuota, () => ({ ...body(), vCpu: 48 })],
    ['customerCoupon', customerCoupon, () => ({ ...body(), code: 'NOSUCH' })],
    ['customerCurrency', customerCurrency, () => ({ ...body(), currency: 'cny' })],
    ['customerEmailReset', customerEmailReset, body],
    ['customerSignOut', customerSignOut, body],
    ['customerMail', customerMail, () => ({ accountId: customer.userid, subject: 'A mail', text: 'Of nobody.' })],
  ] as const

  it.each(asks)('is refused %s: support and the customer', async (_name, call, fields) => {
    for (const { api } of [support, customer]) {
      const { code } = await api.send(call, fields() as never) // each call with its own body
      expect([codes.forbidden, codes.notFound]).toContain(code)
    }
    expect(await told()).toEqual([])
    expect(await mails()).toEqual([])
    expect((await customer.api.send(userInfo, {})).code).toBe(codes.ok)
  })
})

it('shows backups with when they were last proved, on the customer’s page', async () => {
  const { backupId } = await createIds(app.database, customer)
  expect((await shown()).backups).toMatchObject([{ backupId, completedAt: null, provedAt: null }])
})
