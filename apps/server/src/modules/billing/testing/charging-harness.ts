import { patienceMs } from '@atoll/testkit'
import { newId } from '../../../platform/crypto.ts'
import type { Database, Trx } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { insertCard, setDefaultCard } from '../../payments/cards/card-store.ts'
import { insertCard as insertSandboxCard } from '../../payments/drivers/sandbox/sandbox-store.ts'
import { testNumbers } from '../../payments/drivers/sandbox/test-numbers.ts'
import type { BillingDeps } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { findPayment } from '../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../records/documents/states.ts'
import { type Harness, instanceTerms, openHarness } from './billing-harness.ts'

/** A harness whose cards are charged by the sandbox, one job run at a time. */
export interface ChargingHarness extends Harness {
  /** A card as the sandbox makes it of a test number; the default. */
  addCard(number: string): Promise<Method>
  /** An order of one instance for a cluster of its own. */
  order(minor: number, method: Method | null, at: Date): Promise<{ invoiceId: string; paymentId: string }>
  /** One run of a job of billing's. */
  runJob(name: string, payload: object): Promise<void>
  /** One run of the job that carries a payment on. */
  run(paymentId: string): Promise<void>
  /** One run of the job for each refund that is on its way to a card. */
  runRefunds(): Promise<void>
  /** Runs, once at least, until the payment has ended or the customer is asked; gives it as it is then. */
  carry(paymentId: string): Promise<PaymentRow>
  /** The amount the gateway took for each payment, less refunds and disputes; read without the driver. */
  captures(): Promise<Record<string, number>>
}

/** A card as the sandbox makes it of a test number; the account's default. */
export async function addSandboxCard(trx: Trx, userid: string, number: string): Promise<Method> {
  const test = testNumbers.find((one) => one.number === number)
  if (!test || !('charging' in test.adding)) throw new Error(`${number} is no card that is saved`)
  const { charging } = test.adding
  const facts = { brand: test.brand, last4: number.slice(-4), exp_month: 12, exp_year: 2040 }
  const [customer, card, id] = [newId('sb'), newId('sb'), newId('pm')]
  const refs = { customer_ref: customer, card_ref: card, gateway: 'sandbox' as const }
  await insertSandboxCard(trx, { ...facts, id: card, customer, charging })
  await insertCard(trx, { ...facts, ...refs, id, userid, created_at: new Date() })
  await setDefaultCard(trx, userid, id)
  return { id, gateway: 'sandbox' }
}

export async function openChargingHarness(
  database: Database,
  more: Partial<BillingDeps> = {},
): Promise<ChargingHarness> {
  const harness = await openHarness(database, more)
  const { userid, billing, transact } = harness
  const { db, pool } = database
  const runJob = async (name: string, payload: object) => {
    const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
    await billing.jobs.find((job) => job.name === name)?.run(payload, context)
  }
  const run = (paymentId: string) => runJob('payment.reconcile', { id: paymentId })
  const paymentOf = async (id: string) => {
    const payment = await findPayment(db, id)
    if (!payment) throw new Error(`There is no payment ${id}`)
    return payment
  }
  return {
    ...harness,
    runJob,
    run,
    async runRefunds() {
      const pending = db.selectFrom('card_refunds').select('id').where('userid', '=', userid)
      for (const { id } of await pending.where('state', '=', 'pending').execute()) {
        await runJob('billing.cardRefund', { refundId: id })
      }
    },
    addCard: (number) => transact((trx) => addSandboxCard(trx, userid, number)),
    async order(minor, method, at) {
      const clusterId = await harness.insertCluster()
      const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(minor) }]
      const facts = { userid, clusterId, instances, at, coupons: [], method }
      const { invoiceId, paymentId } = await transact((trx) => billing.order(trx, facts))
      if (invoiceId === null || paymentId === null) throw new Error('what costs has an invoice and a payment')
      return { invoiceId, paymentId }
    },
    async carry(paymentId) {
      // While another carries the same payment, a run does nothing.
      const deadline = Date.now() + patienceMs
      for (let hasRun = false; Date.now() < deadline; hasRun = true) {
        const payment = await paymentOf(paymentId)
        const isAsked = payment.state === 'needs_action' && payment.canceling_for === null
        if ((isAsked && hasRun) || isEnd(paymentTransitions, payment.state)) return payment
        await run(paymentId)
      }
      throw new Error(`The payment ${paymentId} does not end: ${JSON.stringify(await paymentOf(paymentId))}`)
    },
    async captures() {
      const { rows } = await pool.query(
        `select payment_id, amount_minor - coalesce((select sum(amount_minor) from sandbox_refunds
            where payment_ref = taken.ref and (fails_at is null or fails_at > now())), 0)::int
            - coalesce((select sum(amount_minor) from sandbox_disputes
              where payment_ref = taken.ref and state <> 'won'), 0)::int as minor
          from sandbox_payments taken where state = 'done' and (
            exists (select from payments where userid = $1 and payment_id in (payments.id, captured_as))
            or exists (select from adopted_captures where userid = $1 and gateway_ref = ref))`,
        [userid],
      )
      return Object.fromEntries(rows.map(({ payment_id, minor }) => [payment_id, Number(minor)]))
    },
  }
}
