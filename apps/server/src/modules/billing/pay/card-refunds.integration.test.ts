import { expect, it } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { verifyLedger } from '../../ledger/index.ts'
import type { PaymentGateway, RefundOutcome } from '../../payments/index.ts'
import { creditAccount, refundPayment, verifyDocuments } from '../index.ts'
import { getCardRefund } from '../records/card-refund-store.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { type Harness, instanceTerms, openHarness, usd } from '../testing/billing-harness.ts'
import { sandboxCharging } from '../testing/sandbox-charging.ts'
import { type CardRefundDeps, sendCardRefund } from './send-card-refund.ts'
import { settlePayment } from './settle.ts'

const database = useDatabase({ max: 8 })
const at = new Date('2027-03-01T00:00:00Z')
const clock = { now: () => new Date('2027-03-08T12:00:00Z') }

/** An account that paid 14.40 by card for an instance that never ran, and has the amount on its balance again. */
async function openCredited(): Promise<{ harness: Harness; paymentId: string }> {
  const harness = await openHarness(database)
  const { userid, billing, transact } = harness
  const methodId = `pm_${userid.slice(-12)}`
  await database.pool.query(
    `insert into payment_methods (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year, is_default, created_at)
      values ($1, $2, 'sandbox', 'c', $1, 'visa', '4242', 12, 2030, true, now())`,
    [methodId, userid],
  )
  const clusterId = await harness.insertCluster()
  const instanceId = await harness.insertInstance(clusterId)
  const instances = [{ instanceId, terms: instanceTerms(1440) }]
  const method = { id: methodId, gateway: 'sandbox' }
  const ordered = await transact((trx) => billing.order(trx, { userid, clusterId, instances, at, coupons: [], method }))
  const paymentId = ordered.paymentId ?? ''
  await transact(async (trx) => {
    const payment = await getPayment(trx, userid, paymentId)
    if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at, gateway_ref: `sb_${paymentId}` })
    await settlePayment(harness.deps, trx, { userid, paymentId, at, captured: usd(1440) })
    await billing.refund(trx, { userid, instances: [{ instanceId, hasRun: false }], at })
  })
  return { harness, paymentId }
}

/** A gateway that gives these answers, and what it was asked. */
function scripted(answers: RefundOutcome[]) {
  const asked: string[] = []
  const answer = (what: string): RefundOutcome => {
    asked.push(what)
    return answers.shift() ?? { kind: 'unknown', why: 'silent' }
  }
  const gateway: Pick<PaymentGateway, 'name' | 'refund' | 'readRefund'> = {
    name: 'sandbox',
    refund: async ({ amount }) => answer(`refund ${amount.minor}`),
    readRefund: async () => answer('read'),
  }
  return { gateway, asked }
}

const depsOf = (gateway: CardRefundDeps['gateway']): CardRefundDeps => {
  const market = { currency: 'usd', zone: 'UTC', clockOffsetMs: 0, createdAt: at } as const
  const getLimits = async () => ({ accountId: 'ac_test', canCreateCluster: true, vCpuQuota: 16, ...market })
  return { db: database.db, clock, accounts: { getLimits }, gateway }
}
async function expectWhole({ userid }: Harness): Promise<void> {
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid })).toMatchObject({ whole: true })
}
const operator = {
  get db() {
    return database.db
  },
  clock,
  keepUsageCovered: async () => undefined,
  get gateway() {
    return sandboxCharging(database.db, clock).gateway
  },
}

it('a refund to a card is set aside, asked until its end is known, and posted once', async () => {
  const { harness, paymentId } = await openCredited()
  const { refundId } = await refundPayment(operator, paymentId, '10')
  expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-440, -1000])
  await expectWhole(harness)
  const { gateway, asked } = scripted([
    { kind: 'unknown', why: 'the answer was lost' },
    { kind: 'absent' },
    { kind: 'pending', ref: 'r1' },
    { kind: 'done', ref: 'r1' },
  ])
  for (let run = 0; run < 5; run += 1) await sendCardRefund(depsOf(gateway), refundId, silentLog)
  expect(asked).toEqual(['refund 1000', 'read', 'refund 1000', 'read'])
  expect(await getCardRefund(database.db, refundId)).toMatchObject({ state: 'done', gateway_ref: 'r1' })
  expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-440, 0])
  expect(await harness.balance('gateway:sandbox')).toBe(440)
  await expectWhole(harness)
})

it('one that the gateway declines is the customer’s again', async () => {
  const { harness, paymentId } = await openCredited()
  const { refundId } = await refundPayment(operator, paymentId, '14.40')
  const { gateway } = scripted([{ kind: 'declined', code: 'refundRefused' }])
  await sendCardRefund(depsOf(gateway), refundId, silentLog)
  expect(await getCardRefund(database.db, refundId)).toMatchObject({ state: 'declined', decline_code: 'refundRefused' })
  expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-1440, 0])
  await expectWhole(harness)
})

it('one of a gateway that is not in use is looked at once an hour, and asks nobody', async () => {
  const { harness, paymentId } = await openCredited()
  const { refundId } = await refundPayment(operator, paymentId, '14.40')
  const { gateway, asked } = scripted([])
  await sendCardRefund(depsOf({ ...gateway, name: 'stripe' }), refundId, silentLog)
  const { rows } = await database.pool.query<{ run_at: Date }>(
    `select run_at from graphile_worker.jobs where key = 'billing.cardRefund:' || $1`,
    [refundId],
  )
  expect(asked).toEqual([])
  expect(rows).toEqual([{ run_at: new Date(clock.now().getTime() + 3_600_000) }])
  await expectWhole(harness)
})

it('is never above what the card paid, nor above what the balance holds', async () => {
  const { harness, paymentId } = await openCredited()
  await creditAccount(operator, { who: harness.userid, amount: '100', kind: 'cash' })
  await refundPayment(operator, paymentId, '14')
  await expect(refundPayment(operator, paymentId, '0.41')).rejects.toThrow(
    'of what the card paid, 0.40 usd can go back',
  )
  await creditAccount(operator, { who: harness.userid, amount: '-100', kind: 'cash' })
  await creditAccount(operator, { who: harness.userid, amount: '-0.20', kind: 'cash' })
  await expect(refundPayment(operator, paymentId, '0.40')).rejects.toThrow('the balance holds 0.20 usd')
  await expect(refundPayment(operator, paymentId, '-1')).rejects.toThrow(OperatorError)
  await expect(refundPayment(operator, 'pay_none', '1')).rejects.toThrow(
    'There is no payment pay_none, and sandbox has no capture of that name.',
  )
  await expectWhole(harness)
})

it('the operator’s credit is posted and written down, and takes no more than there is', async () => {
  const harness = await openHarness(database)
  await creditAccount(operator, { who: harness.userid, amount: '5.5', kind: 'promo' })
  await creditAccount(operator, { who: harness.userid, amount: '3', kind: 'cash' })
  expect([await harness.balance('cash'), await harness.promo(at), await harness.balance('promo')]).toEqual([
    -300, 550, -550,
  ])
  for (const [amount, kind] of [
    ['-3.01', 'cash'],
    ['-1', 'promo'],
    ['0', 'cash'],
    ['1.001', 'cash'],
    ['much', 'promo'],
  ] as const)
    await expect(creditAccount(operator, { who: harness.userid, amount, kind })).rejects.toThrow(OperatorError)
  const records = await database.db
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('owner', '=', harness.did)
    .execute()
  expect(records).toEqual([
    { action: 'account.grantPromo', after: '{"amount":"5.50","currency":"usd"}' },
    { action: 'account.credit', after: '{"amount":"3.00","currency":"usd"}' },
  ])
  await expectWhole(harness)
})

it('promotional credit of the operator ends with its last day, in the account’s zone', async () => {
  const harness = await openHarness(database)
  await database.pool.query(`update accounts set zone = 'UTC+8' where account_id = $1`, [harness.userid])
  const credit = (lastDay: string) =>
    creditAccount(operator, { who: harness.userid, amount: '5', kind: 'promo', lastDay })
  await credit('2027-03-31')
  const ends = new Date('2027-03-31T16:00:00Z')
  expect(await harness.promo(new Date(ends.getTime() - 1))).toBe(500)
  expect(await harness.promo(ends)).toBe(0)
  for (const [day, why] of [
    ['2027-03-07', 'is over for the account'],
    ['2027-02-30', 'is no day'],
    ['soon', 'is no day'],
  ] as const) {
    await expect(credit(day)).rejects.toThrow(why)
  }
  await expectWhole(harness)
})

it('the operator’s credit pays a renewal that is owed, at once', async () => {
  const harness = await openHarness(database, { clock })
  const { userid, billing } = harness
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
  await harness.credit(1440)
  const ordered = { userid, clusterId, instances, at: new Date('2027-02-08T12:00:00Z'), coupons: [], method: null }
  await harness.transact((trx) => billing.order(trx, ordered))
  await harness.runDue()
  const renewals = database.db.selectFrom('invoices').select('state').where('userid', '=', userid)
  const states = () => renewals.where('kind', '=', 'renewal').execute()
  expect(await states()).toEqual([{ state: 'open' }])
  await creditAccount(operator, { who: userid, amount: '14.40', kind: 'cash' })
  await harness.runDue()
  expect(await states()).toEqual([{ state: 'paid' }])
  await expectWhole(harness)
})
