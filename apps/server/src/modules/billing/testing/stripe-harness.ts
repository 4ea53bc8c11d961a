import { newId } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { insertCard, setDefaultCard } from '../../payments/cards/card-store.ts'
import { createStripeGateway } from '../../payments/drivers/stripe/stripe-gateway.ts'
import {
  doubleKey,
  doubleWebhookSecret,
  type StripeDouble,
} from '../../payments/drivers/stripe/testing/stripe-double.ts'
import { testSetup } from '../../payments/testing/gateway-under-test.ts'
import { type BillingDeps, createBilling } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { type ChargingHarness, openChargingHarness } from './charging-harness.ts'

/** A harness whose cards are charged by Stripe's double. */
export interface StripeHarness extends Omit<ChargingHarness, 'addCard' | 'captures'> {
  /** A card as Stripe makes it of a test number; the default. */
  addCard(number: string): Promise<Method>
  /** The webhook comes: what it is about is asked, as its job does. */
  tell(type: string, object: object): Promise<void>
  /** Stripe's ref of what was captured for a payment. */
  refOf(paymentId: string): Promise<string>
  /** Another process takes over, which knows what the database knows. */
  restart(): void
}

export async function openStripeHarness(
  database: Database,
  double: StripeDouble,
  more: Partial<BillingDeps> = {},
): Promise<StripeHarness> {
  const settings = { secretKey: doubleKey, baseUrl: double.url, webhookSecret: doubleWebhookSecret }
  const gateway = createStripeGateway(settings)
  let card: Method | null = null
  const desk = await openChargingHarness(database, { gateway, findMethod: async () => card, ...more })
  let events = 0
  return {
    ...desk,
    async addCard(number) {
      const opened = await gateway.openSetup(testSetup())
      if (opened.kind !== 'action') throw new Error(opened.why)
      double.harness.enterCard(opened.url, number)
      const done = await gateway.readSetup({ setupId: '', ref: opened.ref })
      if (done.kind !== 'done') throw new Error(done.kind)
      const { brand, last4, expMonth: exp_month, expYear: exp_year } = done.facts
      const id = newId('pm')
      const refs = { customer_ref: done.card.customer, card_ref: done.card.card, gateway: 'stripe' as const }
      await desk.transact(async (trx) => {
        const facts = { brand, last4, exp_month, exp_year }
        await insertCard(trx, { id, userid: desk.userid, ...refs, ...facts, created_at: new Date() })
        await setDefaultCard(trx, desk.userid, id)
      })
      card = { id, gateway: 'stripe' }
      return card
    },
    async tell(type, object) {
      events += 1
      const now = new Date()
      const payload = JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } })
      const headers = { 'stripe-signature': double.signWebhook(payload, now) }
      const event = gateway.verifyWebhook({ headers, body: Buffer.from(payload), now })
      if (event?.about?.kind === 'movements') await desk.runJob('billing.movements', { paymentRef: event.about.id })
      else if (event?.about) throw new Error(`the event is about the ${event.about.kind} ${event.about.id}`)
    },
    restart() {
      const { jobs } = createBilling(desk.deps)
      desk.billing.jobs.splice(0, desk.billing.jobs.length, ...jobs)
    },
    async refOf(paymentId) {
      const { rows } = await database.pool.query<{ ref: string }>(
        'select gateway_ref as ref from payments where id = $1',
        [paymentId],
      )
      return rows[0]?.ref ?? ''
    },
  }
}
