import { createTestDatabase } from '@atoll/testkit'
import { fastify } from 'fastify'
import { answerErrors } from '../../../../http/answers.ts'
import { acceptBodies } from '../../../../http/request/body.ts'
import { systemClock } from '../../../../platform/clock.ts'
import { createSealer } from '../../../../platform/crypto.ts'
import { createDatabase } from '../../../../platform/db/index.ts'
import type { PaymentGateway } from '../../gateway.ts'
import { describeGateway, type GatewayUnderTest } from '../../testing/gateway-conformance.ts'
import { sandboxAddresses } from './sandbox-address.ts'
import { sign, signatureHeader } from './sandbox-events.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'
import { sandboxPlugin } from './sandbox-plugin.ts'

describeGateway('sandbox', openSandbox)

async function openSandbox(): Promise<GatewayUnderTest> {
  const testDatabase = await createTestDatabase()
  const database = createDatabase({ connectionString: testDatabase.url })
  const { db } = database
  const addresses = sandboxAddresses(createSealer(Buffer.alloc(32, 7)))
  const webhookSecret = 'a secret of this test'
  const app = fastify()
  app.decorateRequest('answerCode', 0)
  acceptBodies(app)
  answerErrors(app)
  await app.register(sandboxPlugin({ db, clock: systemClock, product: 'Atoll', isProof: addresses.isProof }))
  const lossy = losing(createSandboxGateway({ db, clock: systemClock, webhookSecret, addressOf: addresses.of }))
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
