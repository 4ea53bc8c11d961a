/** Refunds, write-offs and money whose end is open, approved in the wallet: from the act to the books. */
import {
  booksPath,
  captureAdopt,
  customerRefund,
  disputeAnswer,
  invoicesZipPath,
  invoiceWriteOff,
  ledgerVerify,
  moneyShow,
  paymentAsk,
  paymentResolve,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { createTestClock, until } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../authorization/testing/test-app.ts'
import type { Trx } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { getOwedBill } from '../billing/index.ts'
import { findPayment, movePaymentOn } from '../billing/records/documents/payment-store.ts'
import { isPastDue } from '../billing/records/dunning-store.ts'
import { instanceTerms } from '../billing/testing/billing-harness.ts'
import { type ChargingHarness, openChargingHarness } from '../billing/testing/charging-harness.ts'
import { expectSound } from '../billing/testing/expect-sound.ts'
import { createOperator, type Operator } from './testing/operator.ts'

const dayMs = 24 * 60 * 60_000
let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** A customer who paid 28.80 with a card; the first 8.80 of it with promotional credit where `promo` says so. */
async function openPaid({ promo = 0, number = '4242424242424242' } = {}) {
  const harness = await openChargingHarness(app.database)
  if (promo > 0) await harness.grant(promo, new Date())
  const { paymentId, invoiceId } = await harness.order(2880, await harness.addCard(number), new Date())
  expect((await harness.carry(paymentId)).state).toBe('succeeded')
  return { harness, paymentId, invoiceId }
}

const refund = (paymentId: string, amount: number, way: 'card' | 'balance' | 'payout') =>
  operator.act('refund', customerRefund, { paymentId, amount, way, reason: 'it never came up' })

const notesOf = async (harness: ChargingHarness) =>
  (
    await sql<{ cash: number; reason: string }>`select cash_minor::int as cash, reason from credit_notes
      where userid = ${harness.userid} order by recorded_at`.execute(app.database.db)
  ).rows

it('gives a part back to the card with a credit note, and of the rest at most what was paid', async () => {
  const { harness, paymentId } = await openPaid()
  expect((await refund(paymentId, 1000, 'card')).code).toBe(codes.ok)
  await harness.runRefunds()
  expect(await harness.captures()).toEqual({ [paymentId]: 1880 })
  expect(await harness.balance('cash')).toBe(0)
  expect(await notesOf(harness)).toEqual([{ cash: 1000, reason: 'it never came up' }])
  await refund(paymentId, 500, 'balance')
  expect(await harness.balance('cash')).toBe(-500)
  expect((await refund(paymentId, 1400, 'balance')).message).toContain('13.80 USD is the most')
  // A refund on the balance may be paid out to the card without another note.
  expect((await refund(paymentId, 600, 'payout')).message).toContain('5.00 USD is the most')
  await refund(paymentId, 500, 'payout')
  await harness.runRefunds()
  expect(await harness.captures()).toEqual({ [paymentId]: 1380 })
  expect(await notesOf(harness)).toHaveLength(2)
  await expectSound(app.database, harness)
})

it('never makes cash of promotional credit, nor gives back twice what is destroyed afterwards', async () => {
  const { harness, paymentId } = await openPaid({ promo: 880 })
  expect((await refund(paymentId, 2001, 'balance')).message).toContain('20.00 USD is the most')
  await refund(paymentId, 1500, 'balance')
  const { rows } = await sql<{ id: string }>`select instance_id as id from subscription_items
    where userid = ${harness.userid}`.execute(app.database.db)
  const instances = rows.map(({ id: instanceId }) => ({ instanceId, hasRun: false }))
  await harness.transact((trx) => harness.billing.refund(trx, { userid: harness.userid, instances, at: new Date() }))
  expect([await harness.balance('cash'), await harness.balance('promo')]).toEqual([-2000, -880])
  await expectSound(app.database, harness)
})

it('is refused for what the bank is asked to take back', async () => {
  const { harness, paymentId } = await openPaid({ number: '4000000000000259' })
  const payment = await findPayment(app.database.db, paymentId)
  await harness.runJob('billing.movements', { paymentRef: payment?.gateway_ref ?? '' })
  for (const way of ['card', 'balance', 'payout'] as const)
    expect((await refund(paymentId, 100, way)).message).toContain('This payment is disputed')
})

it('writes off a bill that is past due: nothing is owed that stops, and what was stopped is wanted again', async () => {
  const clock = createTestClock(new Date(Date.now() - 60 * dayMs))
  const harness = await openChargingHarness(app.database, { clock })
  await harness.credit(1440)
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
  const order = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
  await harness.transact((trx) => harness.billing.order(trx, order))
  for (const day of [32, 33, 35, 37, 40]) {
    clock.set(new Date(Date.now() - (60 - day) * dayMs))
    await harness.runDue()
  }
  const { db } = app.database
  expect(await isPastDue(db, harness.userid)).toBe(true)
  const standing = async () => (await harness.billing.standings(db, clusterId)).of(instances[0]?.instanceId ?? '')
  expect(await standing()).toBe('overdue')
  const { rows } = await sql<{ id: string; number: string }>`select id, number from invoices
    where userid = ${harness.userid} and state = 'open'`.execute(db)
  const [bill] = rows
  const writeOff = () => operator.act('writeOff', invoiceWriteOff, { invoiceId: bill?.id, reason: 'they are gone' })
  expect((await writeOff()).code).toBe(codes.ok)
  expect([await isPastDue(db, harness.userid), await standing()]).toEqual([false, 'clear'])
  expect(await harness.balance('writeoff')).toBe(1440)
  expect((await writeOff()).message).toContain('Nothing of this invoice')
  // Much later: nothing is given up once more.
  clock.set(new Date())
  await harness.runDue()
  expect(await standing()).toBe('clear')
  await expectSound(app.database, harness)
})

it('looks at what is owed of a bill once nobody else changes it: no more is given up than was approved', async () => {
  const { harness, invoiceId, paymentId } = await openPaid()
  const { db } = app.database
  const set = (trx: Trx, lost: number) =>
    sql`update invoices set state = 'open', payment_id = null, closed_at = null, reopened = 1, lost_minor = ${lost}
      where id = ${invoiceId}`.execute(trx)
  await harness.transact((trx) => set(trx, 3000))
  const { due } = await harness.transact(async (trx) => {
    const looking = db.transaction().execute((other) => getOwedBill(other, invoiceId))
    const waiting = sql<{ waits: boolean }>`select exists (select from pg_locks where not granted) as waits`
    let hasLooked = false
    void looking.then(() => {
      hasLooked = true
    })
    await until('it waits for the account, or has looked', async () => {
      return hasLooked || (await waiting.execute(db)).rows[0]?.waits === true
    })
    await set(trx, 3500)
    return { due: looking }
  })
  expect((await due).due.minor).toBe(3500)
  await sql`update invoices set state = 'paid', payment_id = ${paymentId}, closed_at = now(), reopened = 0,
    lost_minor = 0 where id = ${invoiceId}`.execute(db)
})

it('ends a payment whose outcome nobody tells, as charged under its ref or as not charged', async () => {
  const { db } = app.database
  const unknown = async () => {
    const harness = await openChargingHarness(app.database)
    const { paymentId, invoiceId } = await harness.order(1440, await harness.addCard('4242424242424242'), new Date())
    for (const event of ['sent', 'unanswered'] as const)
      await harness.transact(async (trx) => {
        const payment = await findPayment(trx, paymentId)
        if (payment) await movePaymentOn(trx, payment, event, { at: new Date() })
      })
    return { harness, paymentId, invoiceId }
  }
  const resolve = (fields: object) => operator.act('resolve', paymentResolve, { reason: 'seen there', ...fields })
  const stateOf = async (paymentId: string) => (await findPayment(db, paymentId))?.state
  const [lost, taken] = [await unknown(), await unknown()]
  await operator.api.ask(paymentAsk, { paymentId: lost.paymentId })
  expect((await resolve({ paymentId: lost.paymentId, outcome: 'notCharged' })).code).toBe(codes.ok)
  expect(await stateOf(lost.paymentId)).toBe('declined')
  const charged = { paymentId: taken.paymentId, outcome: 'charged' }
  expect((await resolve(charged)).message).toContain('the gateway’s id')
  // One charge pays one thing: this one paid another's invoice, that one is credit since it was adopted.
  const other = (await findPayment(db, (await openPaid()).paymentId))?.gateway_ref ?? ''
  await sql`insert into adopted_captures (id, userid, gateway, gateway_ref, currency, amount_minor, adopted_at)
    values ('pay_adopted', ${taken.harness.userid}, 'sandbox', 'ch_adopted', 'usd', 1440, now())`.execute(db)
  for (const ref of [other, 'ch_adopted'])
    expect((await resolve({ ...charged, ref })).message).toContain('is already recorded for another payment')
  await sql`delete from adopted_captures where id = 'pay_adopted'`.execute(db)
  // On an operator's word alone an invoice is paid: it counts against the limit of a day, as credit does.
  await sql`insert into staff_moves (account_id, currency, amount_minor, at)
    values (${operator.userid}, 'usd', 49900, now())`.execute(db)
  expect((await resolve({ ...charged, ref: 'ch_seen_there' })).message).toContain('at most 500.00 USD a day')
  await sql`delete from staff_moves where amount_minor = 49900`.execute(db)
  expect((await resolve({ ...charged, ref: 'ch_seen_there' })).code).toBe(codes.ok)
  expect(await stateOf(taken.paymentId)).toBe('succeeded')
  expect((await resolve({ ...charged, ref: 'ch_seen_there' })).message).toContain('is known by now')
  expect(await taken.harness.balance('gateway:sandbox')).toBe(1440)
})

it('adopts a charge that has no payment here: as credit, or back to the card', async () => {
  const { db, pool } = app.database
  const { harness } = await openPaid()
  const accountId = harness.userid
  const stranger = await openChargingHarness(app.database)
  for (const id of ['kept', 'back'])
    await pool.query(
      `insert into sandbox_payments (payment_id, ref, card_id, amount_minor, currency, description, locale, return_url,
        state, created_at) select $1, $2, card_ref, 700, 'usd', 'lost', 'en-US', '/', 'done', now()
        from payment_methods where userid = $3`,
      [`pay_lost_${id}`, `sb_lost_${id}`, harness.userid],
    )
  const find = app.system.jobs.find(({ name }) => name === 'billing.captures')
  for (const _ of ['once', 'again'])
    await find?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  const adopt = (ref: string, way: string, who = accountId) =>
    operator.act('adopt', captureAdopt, { ref, way, accountId: who, reason: 'after the restore' })
  const other = stranger.userid
  expect((await adopt('sb_lost_kept', 'credit', other)).message).toContain('a card of another account')
  expect((await adopt('sb_lost_kept', 'credit')).code).toBe(codes.ok)
  expect(await harness.balance('cash')).toBe(-700)
  expect((await adopt('sb_lost_kept', 'credit')).code).toBe(codes.notFound)
  // A charge that has its payment by now is neither shown nor adopted, and is forgotten.
  const lost = async () => (await sql`select from lost_captures where ref = 'sb_lost_kept'`.execute(db)).rows.length
  await sql`insert into lost_captures (gateway, ref, payment_id, account_id, currency, amount_minor, taken_at, found_at)
    values ('sandbox', 'sb_lost_kept', 'pay_lost_kept', ${accountId}, 'usd', 700, now(), now())`.execute(db)
  const { captures } = await operator.api.ask(moneyShow, { currency: 'usd' })
  expect(captures.map(({ ref }) => ref)).not.toContain('sb_lost_kept')
  expect((await adopt('sb_lost_kept', 'credit')).code).toBe(codes.notFound)
  await find?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  expect(await lost()).toBe(0)
  expect((await adopt('sb_lost_back', 'back')).code).toBe(codes.ok)
  await harness.runRefunds()
  expect(await harness.balance('cash')).toBe(-700)
  expect((await harness.captures())['pay_lost_back']).toBe(0)
  await expectSound(app.database, harness)
})

const runNow = async (name: string, payload: object = {}) => {
  const job = app.system.jobs.find((one) => one.name === name)
  await job?.run(payload, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}

it('answers a bank once: what is accepted is lost, what evidence wins is not', async () => {
  const answered = async (way: 'accept' | 'evidence', text: string) => {
    const { harness, paymentId } = await openPaid({ number: '4000000000000259' })
    const paymentRef = (await findPayment(app.database.db, paymentId))?.gateway_ref ?? ''
    await harness.runJob('billing.movements', { paymentRef })
    const { rows } = await sql<{ id: string }>`select id from disputes where userid = ${harness.userid}`.execute(
      app.database.db,
    )
    const disputeId = rows[0]?.id ?? ''
    const answer = () => operator.act('dispute', disputeAnswer, { disputeId, way, text, reason: 'looked at it' })
    expect((await answer()).code).toBe(codes.ok)
    expect((await answer()).message).toContain('answered already')
    for (const _ of ['once', 'again']) await runNow('billing.disputeAnswer', { disputeId })
    await harness.runJob('billing.movements', { paymentRef })
    const { disputes } = await operator.api.ask(moneyShow, { currency: 'usd' })
    await expectSound(app.database, harness)
    return disputes.find((one) => one.disputeId === disputeId)
  }
  expect(await answered('accept', '')).toMatchObject({ state: 'lost', answer: { way: 'accept', isSent: true } })
  expect(await answered('evidence', 'winning_evidence')).toMatchObject({ state: 'won', answer: { isSent: true } })
})

it('shows what came in, went back and was given up this month, and gives the accountant the rows of it', async () => {
  const show = () => operator.api.ask(moneyShow, { currency: 'usd' })
  await runNow('ledger.days')
  const before = (await show()).months.at(-1)
  const { harness, paymentId } = await openPaid()
  await refund(paymentId, 880, 'card')
  await harness.runRefunds()
  await runNow('ledger.days')
  await operator.api.ask(ledgerVerify, {})
  await runNow('billing.verify')
  const { months, verified } = await show()
  const change = (of: 'revenue' | 'instance' | 'collected' | 'refunded') =>
    (months.at(-1)?.[of] ?? 0) - (before?.[of] ?? 0)
  expect([change('revenue'), change('instance'), change('collected'), change('refunded')]).toEqual([
    2000, 2000, 2880, 880,
  ])
  expect(verified).toMatchObject({ problem: null })
  const month = months.at(-1)?.month ?? ''
  const ask = async (path: string, person = operator) =>
    await fetch(app.origin + path, {
      method: 'POST',
      headers: { ...person.api.credentials, 'content-type': 'application/json' },
      body: JSON.stringify({ month, currency: 'usd' }),
    })
  const journal = (await (await ask(booksPath('journal'))).text()).split('\n')
  expect(journal.filter((line) => line.includes(harness.userid)).length).toBeGreaterThan(6)
  expect(await (await ask(booksPath('creditNotes'))).text()).toContain('it never came up')
  expect(await (await ask(booksPath('payments'))).text()).toContain(paymentId)
  expect(await (await ask(booksPath('invoices'))).text()).toContain('28.80')
  const zip = Buffer.from(await (await ask(invoicesZipPath)).arrayBuffer())
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  const stranger = (await app.createPerson()) as Operator
  expect(await (await ask(booksPath('journal'), stranger)).text()).not.toContain(harness.userid)
})
