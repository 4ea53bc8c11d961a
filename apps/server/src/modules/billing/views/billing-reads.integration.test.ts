import {
  balancePage,
  customerInfo,
  invoicesDetail,
  invoicesPage,
  paymentDetail,
  paymentPage,
  subscriptionsDetail,
  subscriptionsPage,
} from '@atoll/contract/billing'
import type { Call, CallData, CallRequest, Locale } from '@atoll/contract/wire'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { endPayment } from '../pay/begin-payment.ts'
import { settlePayment } from '../pay/settle.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { type Harness, instanceTerms, openHarness, usd } from '../testing/billing-harness.ts'

const database = useDatabase({ max: 12 })
let harness: Harness

const at = new Date('2027-01-31T12:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

beforeEach(async () => {
  harness = await openHarness(database)
})

/** Asks as a request does: the body is checked by the call, and so is the answer. */
async function ask<C extends Call>(call: C, body: CallRequest<C>, locale: Locale = 'en-US', by = harness) {
  const route = by.billing.routes.find((one) => one.call.name === call.name)
  if (!route) throw new Error(`${call.name} is not served`)
  const account = { userid: by.userid, role: 'User', sessionId: 'ss_none', ip: '::1' }
  const context = { locale, account } as unknown as Parameters<typeof route.handle>[1] // all that a read uses
  return call.data.parse(await route.handle(readParameters(call.body, body, locale), context)) as CallData<C>
}

async function keepCard(): Promise<{ id: string; gateway: string }> {
  const id = `pm_${harness.userid.slice(-12)}`
  await database.pool.query(
    `insert into payment_methods
      (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year, is_default, created_at)
      values ($1, $2, 'sandbox', 'c', $1, 'visa', '4242', 12, 2030, true, now())`,
    [id, harness.userid],
  )
  return { id, gateway: 'sandbox' }
}

/** Orders instances for a cluster, a new one unless it is given; the first is named Manihi. */
async function order(prices: number[], more: { clusterId?: string; at?: Date; card?: boolean } = {}) {
  const clusterId = more.clusterId ?? (await harness.insertCluster())
  await database.pool.query(
    `update clusters set name = 'Manihi' where id = $1
      and not exists (select from clusters other where other.owner = clusters.owner and other.name = 'Manihi')`,
    [clusterId],
  )
  const instances = []
  for (const price of prices)
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  const facts = { userid: harness.userid, clusterId, instances, at: more.at ?? at, coupons: [] }
  const method = more.card ? { id: `pm_${harness.userid.slice(-12)}`, gateway: 'sandbox' } : null
  const { invoiceId, paymentId, ...ordered } = await harness.transact((trx) =>
    harness.billing.order(trx, { ...facts, method }),
  )
  if (invoiceId === null || paymentId === null) throw new Error('It was free')
  return { ...ordered, invoiceId, paymentId, clusterId, instances: instances.map(({ instanceId }) => instanceId) }
}

async function charge(paymentId: string): Promise<void> {
  await harness.transact(async (trx) => {
    const payment = await getPayment(trx, harness.userid, paymentId)
    await movePaymentOn(trx, payment, 'sent', { at })
    await settlePayment(harness.deps, trx, { userid: harness.userid, paymentId, at, captured: usd(payment.card_minor) })
  })
}

async function decline(paymentId: string): Promise<void> {
  await harness.transact(async (trx) => {
    await movePaymentOn(trx, await getPayment(trx, harness.userid, paymentId), 'sent', { at })
    const payment = await getPayment(trx, harness.userid, paymentId)
    await endPayment(trx, payment, { event: 'declined', at, code: 'cardFundsLacking' })
  })
}

describe('what the account has and owes', () => {
  test('is nothing for a new one', async () => {
    const info = await ask(customerInfo, {})
    expect(info).toMatchObject({
      cashBalance: 0,
      currency: 'usd',
      defaultPayMethod: null,
      promoBalance: 0,
      zone: 'UTC',
    })
    expect(info).toMatchObject({ standing: 'clear', clockOffset: 0, canTravel: true })
    expect(info.openInvoice).toBeUndefined()
  })

  test('is shown with the invoice to pay first, on its own clock', async () => {
    const card = await keepCard()
    await harness.credit(500)
    await harness.grant(400, at)
    await order([1440], { at: later(1) })
    const { invoiceId, validUntil } = await order([720])
    await database.pool.query('update accounts set clock_offset_ms = 3600000 where account_id = $1', [harness.userid])
    const before = Date.now()
    const info = await ask(customerInfo, {})
    expect(info).toMatchObject({ cashBalance: 0, promoBalance: 0, standing: 'unpaid', clockOffset: 3_600_000 })
    expect(info.defaultPayMethod).toEqual({ id: card.id, cardBrand: 'visa', cardLast4: '4242' })
    expect(info.openInvoice).toMatchObject({ invoiceId, amount: 720, kind: 'order', createAt: at.toISOString() })
    expect(info.openInvoice?.validUntil).toBe(validUntil?.toISOString())
    expect(Date.parse(info.now) - 3_600_000).toBeGreaterThanOrEqual(before)
    expect(info.spendCap).toBeUndefined()
    await database.pool.query('insert into spend_caps (userid, set_at, amount_minor) values ($1, now(), 700)', [
      harness.userid,
    ])
    expect(await ask(customerInfo, {})).toMatchObject({ spendCap: { amount: 700 } })
    await database.pool.query('insert into dunnings (invoice_id, userid, tries, past_due_at) values ($1, $2, 4, $3)', [
      ...[invoiceId, harness.userid, later(5)],
    ])
    expect(await ask(customerInfo, {})).toMatchObject({ standing: 'overdue', openInvoice: { invoiceId } })
  })
})

describe('subscriptions', () => {
  test('cost what their items cost together, and say until when an order can be paid', async () => {
    const { clusterId, invoiceId, validUntil } = await order([1440, 720])
    const { subscriptions } = await ask(subscriptionsPage, {})
    const [row] = subscriptions
    expect(row).toMatchObject({
      kind: 'cluster',
      name: 'Manihi',
      clusterId,
      status: 'unpaid',
      amount: 2160,
      instances: 2,
    })
    expect(row).toMatchObject({ validUntil: validUntil?.toISOString(), openInvoiceId: invoiceId, currency: 'usd' })
    const detail = await ask(subscriptionsDetail, { subscriptionId: row?.subscriptionId ?? '' })
    const items = detail.subscriptionItemsInfo
    expect(items.map(({ priceInfo }) => priceInfo.amount)).toEqual([1440, 720])
    expect(items.map(({ instance }) => instance?.name)).toEqual(['worker-1', 'worker-2'])
    expect(detail.invoices).toMatchObject([{ invoiceId, amount: 2160, status: 'open' }])
    expect(detail.actions).toEqual(['pay', 'cancel'])
  })

  test('are found by state and by when they were made', async () => {
    await harness.credit(1440)
    const { clusterId } = await order([1440])
    await order([720], { at: later(3) })
    const clusters = async (filter: CallRequest<typeof subscriptionsPage>) =>
      (await ask(subscriptionsPage, filter)).subscriptions.map((row) => row.clusterId === clusterId)
    expect(await clusters({})).toEqual([false, true])
    expect(await clusters({ status: 'active' })).toEqual([true])
    expect(await clusters({ from: later(1).toISOString() })).toEqual([false])
    expect(await clusters({ to: later(3).toISOString() })).toEqual([true])
  })
})

describe('invoices', () => {
  test('come 20 a page, the newest first, none twice', async () => {
    await harness.credit(25 * 100)
    for (let day = 0; day < 25; day += 1) await order([100], { at: later(day) })
    const [first, second] = [await ask(invoicesPage, {}), await ask(invoicesPage, { page: 2 })]
    expect(first).toMatchObject({ page: 1, rowsPerPage: 20, rowsNumber: 25, toPay: { count: 0, amount: 0 } })
    const all = [...first.invoices, ...second.invoices]
    expect(all.map(({ number }) => Number(number.slice(-4)))).toEqual(Array.from({ length: 25 }, (_, n) => 25 - n))
    expect(first.invoices[0]).toMatchObject({ kind: 'order', status: 'paid', amount: 100, paidBy: ['Balance'] })
    const span = await ask(invoicesPage, { from: later(3).toISOString(), to: later(5).toISOString() })
    expect(span.invoices.map(({ createAt }) => createAt)).toEqual([later(4).toISOString(), later(3).toISOString()])
  })

  test('are found by kind and state, and say what is to be paid', async () => {
    await harness.credit(300)
    await order([300])
    await order([1440])
    const states = async (filter: CallRequest<typeof invoicesPage>) =>
      (await ask(invoicesPage, filter)).invoices.map(({ status }) => status)
    expect(await states({ kind: 'prepayment' })).toEqual(['open', 'paid'])
    expect(await states({ kind: 'postpayment' })).toEqual([])
    expect(await states({ kind: 'order', status: 'open' })).toEqual(['open'])
    expect((await ask(invoicesPage, { kind: 'usage' })).toPay).toEqual({ count: 1, amount: 1440, currency: 'usd' })
  })

  test('explain every line, which add up, and say what was given back', async () => {
    await harness.credit(5000)
    const { clusterId } = await order([1440])
    const { invoiceId, instances } = await order([720, 360], { clusterId, at: later(10) })
    const { userid } = harness
    const [instanceId] = instances
    await harness.transact((trx) =>
      harness.billing.refund(trx, {
        userid,
        instances: [{ instanceId: instanceId ?? '', hasRun: true }],
        at: later(20),
      }),
    )
    const detail = await ask(invoicesDetail, { invoiceId })
    expect(detail.items).toHaveLength(2)
    expect(detail.items.reduce((sum, { amount }) => sum + amount, 0)).toBe(detail.gross)
    expect(detail.gross - detail.discount).toBe(detail.amount)
    for (const { explain, amount, ...item } of detail.items) {
      expect(explain).toMatchObject({ rule: 'prepaid', rounded: amount })
      expect(item).toMatchObject({ productType: 'Instance', quantity: 1, proration: true })
    }
    expect(detail.items[0]).toMatchObject({ priceInfo: { productName: 'bay 720', amount: 720 }, of: 'Manihi worker 2' })
    expect(detail.summary).toBe('Manihi, 2 workers')
    expect(detail.payments).toMatchObject([{ status: 'succeeded', kind: 'Balance', amount: detail.amount }])
    const [note] = detail.creditNotes
    expect(note?.toBalance).toBe(note?.items.reduce((sum, { amount, discount }) => sum + amount - discount, 0))
    expect(note?.reason).toBe('Manihi worker 2: destroyed, 8 of 18 days given back')
    expect(detail.actions).toEqual([])
    const chinese = await ask(invoicesDetail, { invoiceId }, 'zh-CN')
    expect(chinese.summary).toBe('Manihi 的 2 个工作节点')
    expect(chinese.creditNotes[0]?.reason).toBe('Manihi 工作节点 2：已销毁，退回 18 天中的 8 天')
  })
})

test('the order of a worker is taken back by its instance, and not with what its cluster already pays for', async () => {
  await harness.credit(1440)
  const { clusterId } = await order([1440])
  const { invoiceId, instances } = await order([720], { clusterId, at: later(10) })
  const { actions, items } = await ask(invoicesDetail, { invoiceId })
  expect([actions, items[0]?.instanceId]).toEqual([['pay', 'cancel'], instances[0]])
  const { subscriptions } = await ask(subscriptionsPage, {})
  const { subscriptionId = '' } = subscriptions[0] ?? {}
  expect(await ask(subscriptionsDetail, { subscriptionId })).toMatchObject({ status: 'active', actions: ['pay'] })
})

test('payments are every try, with why it failed in the words of who asks, and not what only waited for a card', async () => {
  await keepCard()
  const { invoiceId, paymentId: waiting } = await order([1440])
  const pay = async () => {
    const method = { id: `pm_${harness.userid.slice(-12)}`, gateway: 'sandbox' }
    const { userid } = harness
    const begun = await harness.transact((trx) => harness.billing.pay(trx, { userid, invoiceId, at, method }))
    return begun?.paymentId ?? ''
  }
  expect((await ask(paymentPage, {})).paymentInfo.map(({ paymentId }) => paymentId)).toEqual([waiting])
  const first = await pay()
  await decline(first)
  const second = await pay()
  await charge(second)
  const { paymentInfo, rowsNumber } = await ask(paymentPage, {})
  expect(rowsNumber).toBe(2)
  const tried = new Map(paymentInfo.map((row) => [row.paymentId, row]))
  expect(tried.get(second)).toMatchObject({
    status: 'succeeded',
    kind: 'card',
    amount: 1440,
    toCard: 1440,
    cardLast4: '4242',
    invoiceId,
  })
  expect(tried.get(first)).toMatchObject({ status: 'declined', reason: expect.stringContaining('enough funds') })
  expect([...tried.values()].map(({ attempt }) => attempt).sort()).toEqual([1, 2])
  const detail = await ask(paymentDetail, { paymentId: first }, 'zh-CN')
  expect(detail).toMatchObject({ reason: '卡内余额不足。请换一张卡，或存入资金后重试。', actions: [] })
  expect(detail.attempts.map(({ paymentId }) => paymentId).sort()).toEqual([first, second].sort())
  expect(detail.split).toEqual({ fromPromo: 0, fromBalance: 0, toCard: 1440, rolledOver: 0, collected: 0 })
  expect((await ask(paymentPage, { kind: 'Balance' })).paymentInfo).toEqual([])
  expect((await ask(paymentPage, { status: 'declined', kind: 'card' })).paymentInfo).toHaveLength(1)
})

test('an order is taken back while the bank asks its customer, and not while the card is charged', async () => {
  await keepCard()
  const { invoiceId, paymentId } = await order([1440], { card: true })
  const { userid } = harness
  const actions = async () => (await ask(invoicesDetail, { invoiceId })).actions
  const move = (event: 'sent' | 'actionNeeded') =>
    harness.transact(async (trx) => movePaymentOn(trx, await getPayment(trx, userid, paymentId), event, { at }))
  expect(await actions()).toEqual(['pay', 'cancel'])
  await move('sent')
  expect(await actions()).toEqual(['pay'])
  await move('actionNeeded')
  expect(await actions()).toEqual(['pay', 'cancel'])
  expect(await harness.transact((trx) => harness.billing.lapse(trx, { userid, invoiceId, at }))).toBe(false)
  expect(await actions(), 'the gateway is canceling it').toEqual(['pay'])
})

test('every change of the balance is listed as the ledger signs it, with what it is about', async () => {
  await harness.credit(2000)
  await harness.grant(300, at)
  const { invoiceId, instances } = await order([1440])
  const { userid } = harness
  const [instanceId = ''] = instances
  await harness.transact((trx) =>
    harness.billing.refund(trx, { userid, instances: [{ instanceId, hasRun: true }], at: later(5) }),
  )
  const { balanceChangeRecord, currency, promo, postings } = await ask(balancePage, {})
  expect(currency).toBe('usd')
  // 28 days for 14.40: promotional credit counts as used first, 2.57 of it.
  expect(promo).toEqual([{ amount: 43, expiresAt: null }])
  expect(postings).toBeGreaterThanOrEqual(5)
  for (const of of ['balance', 'promo'] as const) {
    const records = balanceChangeRecord.filter((record) => record.of === of)
    expect(records[0]?.balance).toBe(records.reduce((sum, { amount }) => sum + amount, 0))
  }
  const { cashBalance } = await ask(customerInfo, {})
  const own = await ask(balancePage, { of: 'balance' })
  expect(own.balanceChangeRecord[0]).toMatchObject({ balance: cashBalance, type: 'credit_note', invoiceId })
  expect(own.balanceChangeRecord.map(({ type }) => type)).toEqual(['credit_note', 'hold', 'adjust'])
  expect(own.balanceChangeRecord[1]?.description).toMatch(/^Paid, or set aside .*ATL-/)
  expect((await ask(balancePage, { type: 'grant' })).balanceChangeRecord).toMatchObject([{ of: 'promo', amount: -300 }])
  expect((await ask(balancePage, { from: later(1).toISOString() })).balanceChangeRecord).toHaveLength(2)
})

describe('somebody else', () => {
  test('is answered as for what there is not', async () => {
    const { invoiceId, paymentId } = await order([1440])
    const [subscription] = (await ask(subscriptionsPage, {})).subscriptions
    const subscriptionId = subscription?.subscriptionId ?? ''
    const stranger = await openHarness(database)
    for (const [call, body] of [
      [invoicesDetail, { invoiceId }],
      [paymentDetail, { paymentId }],
      [subscriptionsDetail, { subscriptionId }],
    ] as const) {
      await expect(ask(call as Call, body as never, 'en-US', stranger)).rejects.toMatchObject({ key: 'notFound' })
    }
    for (const call of [invoicesPage, paymentPage, subscriptionsPage, balancePage])
      expect(await ask(call as Call, {} as never, 'en-US', stranger)).toMatchObject({ rowsNumber: 0 })
  })
})

const refused: [Call, object, string][] = [
  [invoicesPage, { page: 0 }, 'page'],
  [invoicesPage, { rowsPerPage: 1000 }, 'rowsPerPage'],
  [invoicesPage, { kind: 'gift' }, 'kind'],
  [invoicesPage, { status: 'unpaid' }, 'status'],
  [invoicesPage, { from: 'yesterday' }, 'from'],
  [invoicesPage, { from: later(1).toISOString(), to: at.toISOString() }, 'to'],
  [paymentPage, { kind: 'gift card' }, 'kind'],
  [paymentPage, { to: '2027-01-31' }, 'to'],
  [balancePage, { of: 'cash' }, 'of'],
  [balancePage, { from: at.toISOString(), to: at.toISOString() }, 'to'],
  [subscriptionsPage, { status: 'open' }, 'status'],
  [invoicesDetail, { invoiceId: 'iv_1' }, 'invoiceId'],
  [paymentDetail, { paymentId: 7 }, 'paymentId'],
  [subscriptionsDetail, {}, 'subscriptionId'],
]
test.each(refused.map(([call, body, field]) => ({ call, body, field, name: call.name, asked: JSON.stringify(body) })))(
  '$name refuses $asked by naming $field',
  async ({ call, body, field }) => {
    await expect(ask(call, body as never)).rejects.toMatchObject({ params: { field } })
  },
)
