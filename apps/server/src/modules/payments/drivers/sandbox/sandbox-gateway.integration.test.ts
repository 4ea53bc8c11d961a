import { createTestClock, createTestDatabase } from '@atoll/testkit'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { answerErrors } from '../../../../http/request/answers.ts'
import { acceptBodies } from '../../../../http/request/body.ts'
import { type Clock, systemClock } from '../../../../platform/clock.ts'
import { createSealer, newId, sha256Hex } from '../../../../platform/crypto.ts'
import { createDatabase } from '../../../../platform/db/index.ts'
import type { PaymentGateway } from '../../gateway/gateway.ts'
import { describeGateway } from '../../testing/gateway-conformance.ts'
import { type GatewayUnderTest, testOrder, testSetup } from '../../testing/gateway-under-test.ts'
import { sandboxAddresses } from './sandbox-address.ts'
import { sign, signatureHeader } from './sandbox-events.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'
import { decideSandboxDispute } from './sandbox-movements.ts'
import { sandboxPlugin } from './sandbox-plugin.ts'
import { insertRefund, listDisputes } from './sandbox-store.ts'

describeGateway('sandbox', () => openSandbox())

const dayMs = 24 * 60 * 60_000

test('a page that nobody answers for a day is canceled, and answers nothing any more', async () => {
  const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
  const harness = await openSandbox(clock)
  try {
    const { gateway } = harness
    const setups = [testSetup(), testSetup()] as const
    const [entered, left] = await Promise.all(setups.map((setup) => gateway.openSetup(setup)))
    if (entered?.kind !== 'action' || left?.kind !== 'action') throw new Error('no page was opened')
    await harness.enterCard(entered.url, '4000000000003220')
    const done = await gateway.readSetup({ setupId: setups[0].setupId, ref: entered.ref })
    if (done.kind !== 'done') throw new Error(`the setup is ${done.kind}`)
    const order = testOrder(done.card)
    const created = await gateway.create(order)
    const asked = created.kind === 'open' ? await gateway.confirm({ ...order, ref: created.ref }) : created
    if (asked.kind !== 'action') throw new Error(`it is ${asked.kind}`)

    clock.advance(dayMs)
    expect(await harness.enterCard(left.url, '4242424242424242')).toBe(false)
    expect(await gateway.readSetup({ setupId: setups[1].setupId, ref: left.ref })).toEqual({ kind: 'canceled' })
    expect(await harness.answerPage(asked.url, 'confirm')).toBe(false)
    expect((await gateway.read({ ...order, ref: asked.ref })).kind).toBe('canceled')
    expect(await harness.listCaptures(order.paymentId)).toEqual([])
  } finally {
    await harness.close()
  }
})

test('a card is charged in its last month, and not after it', async () => {
  const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
  const harness = await openSandbox(clock)
  try {
    const { gateway } = harness
    const setup = testSetup()
    const opened = await gateway.openSetup(setup)
    if (opened.kind !== 'action') throw new Error(opened.why)
    await harness.enterCard(opened.url, '4242424242424242')
    const done = await gateway.readSetup({ setupId: setup.setupId, ref: opened.ref })
    if (done.kind !== 'done') throw new Error(`the setup is ${done.kind}`)
    const charge = async () => {
      const order = testOrder(done.card)
      const created = await gateway.create(order)
      return created.kind === 'open' ? await gateway.confirm({ ...order, ref: created.ref }) : created
    }
    clock.set(new Date('2040-12-31T23:59:59Z'))
    expect(await charge()).toMatchObject({ kind: 'done' })
    clock.set(new Date('2041-01-01T00:00:00Z'))
    expect(await charge()).toMatchObject({ kind: 'declined', code: 'cardExpired' })
  } finally {
    await harness.close()
  }
})

async function openSandbox(clock: Clock = systemClock): Promise<GatewayUnderTest> {
  const testDatabase = await createTestDatabase()
  const database = createDatabase({ connectionString: testDatabase.url })
  const { db } = database
  const addresses = sandboxAddresses(createSealer(Buffer.alloc(32, 7)))
  const webhookSecret = 'a secret of this test'
  const app = fastify()
  app.decorateRequest('answerCode', 0)
  acceptBodies(app)
  answerErrors(app)
  await app.register(
    sandboxPlugin({
      db,
      clock,
      product: 'Atoll',
      isProof: addresses.isProof,
      fingerprintOf: (number) => sha256Hex(number),
    }),
  )
  const lossy = losing(createSandboxGateway({ db, clock, webhookSecrets: [webhookSecret], addressOf: addresses.of }))
  const post = (url: string, fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
  return {
    ...lossy,
    enterCard: async (url, number) => (await post(url, { number, expiry: '12/40', cvc: '123' })).statusCode === 303,
    answerPage: async (url, verdict) => (await post(url, { verdict })).statusCode === 303,
    async listCaptures(paymentId) {
      const rows = db.selectFrom('sandbox_payments').select('amount_minor').where('payment_id', '=', paymentId)
      return (await rows.where('state', '=', 'done').execute()).map((row) => row.amount_minor)
    },
    signWebhook(paymentId, at) {
      const body = JSON.stringify({ id: 'sb_event', about: { kind: 'payment', id: paymentId } })
      return { headers: { [signatureHeader]: sign(body, webhookSecret, at) }, body: Buffer.from(body), now: at }
    },
    signDispute(ref, at) {
      const body = JSON.stringify({ id: 'sb_event', about: { kind: 'movements', id: ref } })
      return { headers: { [signatureHeader]: sign(body, webhookSecret, at) }, body: Buffer.from(body), now: at }
    },
    async decideDisputes(ref, verdict) {
      for (const dispute of await listDisputes(db, ref)) await decideSandboxDispute({ db, clock }, dispute.ref, verdict)
    },
    async refundInDashboard(ref, minor) {
      const row = { refund_id: null, ref: newId('sb'), payment_ref: ref, amount_minor: minor, fails_at: null }
      await db.transaction().execute((trx) => insertRefund(trx, { ...row, created_at: clock.now() }))
    },
    async failRefunds(ref) {
      await db.updateTable('sandbox_refunds').set({ fails_at: clock.now() }).where('payment_ref', '=', ref).execute()
    },
    async close() {
      await app.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}

/** `gateway` behind a line that may be cut for the next call. */
function losing(gateway: PaymentGateway): Pick<GatewayUnderTest, 'gateway' | 'loseNext'> {
  let lost: 'before' | 'after' | undefined
  const behindLine = async <T>(call: () => Promise<T>) => {
    const when = lost
    lost = undefined
    const answer = when === 'before' ? undefined : await call()
    return when === undefined && answer !== undefined ? answer : ({ kind: 'unknown', why: 'the line was cut' } as const)
  }
  return {
    gateway: {
      ...gateway,
      create: (order) => behindLine(() => gateway.create(order)),
      confirm: (order) => behindLine(() => gateway.confirm(order)),
      refund: (order) => behindLine(() => gateway.refund(order)),
    },
    loseNext: (when) => {
      lost = when
    },
  }
}
