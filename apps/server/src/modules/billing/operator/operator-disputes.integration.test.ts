/** The operator's view of disputes, and the evidence that answers a bank. */
import { createPublicKey, verify } from 'node:crypto'
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { recordAudit } from '../../audit/index.ts'
import { decideSandboxDispute } from '../../payments/index.ts'
import { answerBank, collectEvidence, countDisputes, findDisputeBy, listDisputes } from '../index.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { attemptJson } from '../views/payment-json.ts'
import { listTries } from '../views/read-payments.ts'
import { disputeAnswers } from './answer-dispute.ts'

const database = useDatabase({ max: 6 })
const sealer = createSealer(Buffer.alloc(32, 7))
const clock = createTestClock(new Date())

async function openDisputed() {
  const harness = await openChargingHarness(database, { clock })
  const { paymentId, invoiceId } = await harness.order(2880, await harness.addCard('4000000000000259'), clock.now())
  await harness.carry(paymentId)
  const { rows } = await database.pool.query<{ ref: string }>(
    'select ref from sandbox_payments where payment_id = $1',
    [paymentId],
  )
  const paymentRef = rows[0]?.ref ?? ''
  await harness.runJob('billing.movements', { paymentRef })
  return { harness, paymentId, invoiceId, paymentRef }
}

test('disputes are listed with their deadlines and counted, until they are decided; the customer is told', async () => {
  const { harness, paymentId, invoiceId, paymentRef } = await openDisputed()
  const told = async () => {
    const [payment] = (await listTries(database.db, harness.userid, [invoiceId])).get(invoiceId) ?? []
    return payment && attemptJson(payment, 'en-US').reason
  }
  expect(await told()).toBe('You dispute $28.80 of it with your bank, which has not decided.')
  const own = (await listDisputes(database.db)).filter(({ userid }) => userid === harness.userid)
  expect(own).toMatchObject([
    { payment_id: paymentId, state: 'open', amount_minor: 2880, withdrawn_minor: 2880, reason: 'fraudulent' },
  ])
  expect(own[0]?.number).toMatch(/^ATL-/)
  const [{ id = '', due_by = null } = {}] = own
  const counted = await countDisputes(database.db)
  expect(counted.open).toBeGreaterThan(0)
  expect(counted.firstDueBy?.getTime()).toBeLessThanOrEqual(due_by?.getTime() ?? 0)
  const ref = (await findDisputeBy(database.db, id))?.gateway_ref ?? ''
  expect(await decideSandboxDispute({ db: database.db, clock }, ref, 'won')).toBe(true)
  expect(await decideSandboxDispute({ db: database.db, clock }, ref, 'lost')).toBe(false)
  await harness.runJob('billing.movements', { paymentRef })
  expect((await countDisputes(database.db)).open).toBe(counted.open - 1)
  expect(await harness.balance('disputed')).toBe(0)
  expect(await told()).toBe('You disputed $28.80 of it with your bank. The payment stands.')
})

test('one that nobody decides is lost after a week, and its invoice is owed again', async () => {
  const { harness, invoiceId, paymentRef } = await openDisputed()
  clock.advance(7 * 86_400_000)
  await harness.runJob('billing.movements', { paymentRef })
  const { rows } = await database.pool.query('select state, lost_minor::int from invoices where id = $1', [invoiceId])
  expect(rows).toEqual([{ state: 'open', lost_minor: 2880 }])
})

test('the evidence holds the order and its signature, sign-ins and mails of that account alone, and no secret', async () => {
  const { harness, paymentId } = await openDisputed()
  const other = await openDisputed()
  for (const { userid } of [harness, other.harness]) {
    await harness.transact((trx) =>
      recordAudit(trx, {
        actor: { userid, sessionId: 'ss_test' },
        ip: '192.0.2.9',
        action: 'session.signIn',
        object: { kind: 'session', id: 'ss_test', owner: userid },
      }),
    )
  }
  const [dispute] = (await listDisputes(database.db)).filter(({ userid }) => userid === harness.userid)
  const { disputeId, files } = await collectEvidence(database.db, sealer, dispute?.gateway_ref ?? '')
  expect(disputeId).toBe(dispute?.id)
  const textOf = (name: string) => Buffer.from(files.find((file) => file.name === name)?.bytes ?? []).toString('utf8')
  const order = JSON.parse(textOf('order.json'))
  expect(order).toMatchObject({
    payment: { id: paymentId, last4: '0259' },
    invoice: { lines: [{ amount_minor: 2880 }] },
  })
  const { value, publicKey } = JSON.parse(textOf('order.signature.json'))
  const prefix = Buffer.from('302a300506032b6570032100', 'hex')
  const key = createPublicKey({
    key: Buffer.concat([prefix, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  })
  const isSigned = (text: string) => verify(null, Buffer.from(text.trimEnd(), 'utf8'), key, Buffer.from(value, 'hex'))
  expect(isSigned(textOf('order.json'))).toBe(true)
  expect(isSigned(textOf('order.json').replace('2880', '2881'))).toBe(false)
  expect(JSON.parse(textOf('sign-ins.json'))).toMatchObject([{ action: 'session.signIn', ip: '192.0.2.9' }])
  expect(JSON.parse(textOf('use.json')).clusters).toHaveLength(1)
  expect(files.map(({ name }) => name)).toContain('mails.json')
  expect(files.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join()).not.toContain(other.harness.userid)
  await expect(collectEvidence(database.db, sealer, 'dp_none')).rejects.toThrow('There is no dispute dp_none')
})

test('a bank is told of the sign-ins, however much else the account did since', async () => {
  const { harness } = await openDisputed()
  const [dispute] = (await listDisputes(database.db)).filter(({ userid }) => userid === harness.userid)
  const disputeId = dispute?.id ?? ''
  const by = { actor: { userid: harness.userid, sessionId: 'ss_test' }, ip: '192.0.2.9' }
  const owner = harness.userid
  await harness.transact(async (trx) => {
    await recordAudit(trx, { ...by, action: 'session.signIn', object: { kind: 'session', id: 'ss_test', owner } })
    for (let left = 500; left > 0; left -= 1)
      await recordAudit(trx, { ...by, action: 'payment.adopt', object: { kind: 'payment', id: `pay_${left}`, owner } })
    await answerBank(trx, { disputeId, way: 'evidence', text: 'ordered', by: owner, now: clock.now() })
  })
  const told: unknown[] = []
  const gateway = {
    name: 'sandbox',
    async answerDispute({ evidence }: { evidence: { access: string } | null }) {
      told.push(evidence?.access)
      return { kind: 'done' as const }
    },
  } satisfies Parameters<typeof disputeAnswers>[0]['gateway']
  const job = disputeAnswers({ db: database.db, clock, gateway })
  await job.run({ disputeId }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  expect(told).toEqual([expect.stringMatching(/ session\.signIn 192\.0\.2\.9$/)])
})
