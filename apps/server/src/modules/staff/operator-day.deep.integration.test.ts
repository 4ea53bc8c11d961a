/** A day of an operator: an abusive and a disputing customer, a stuck cluster, a departing customer, to their ends. */
import { userHoldAnswer, userHolds, userInfo } from '@atoll/contract/accounts'
import { clusterStart } from '@atoll/contract/clusters'
import {
  type AttentionKind,
  abuseClose,
  abuseFind,
  abuseReport,
  attentionList,
  customerErase,
  customerExport,
  customerLook,
  customerRefund,
  customerRelease,
  customerShow,
  customerSuspend,
  customersPage,
  disputeAnswer,
  moneyShow,
  staffClusterGiveUp,
  staffClustersPage,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type TestApp } from '../../authorization/testing/test-app.ts'
import { createSealer } from '../../platform/crypto.ts'
import { verifyAudit } from '../audit/index.ts'
import { findPayment } from '../billing/records/documents/payment-store.ts'
import { openChargingHarness } from '../billing/testing/charging-harness.ts'
import { endNow, runJob, tracesOf } from '../rights/closing.fixture.ts'
import { openArchive } from '../rights/index.ts'
import { createOperator, type Operator } from './testing/operator.ts'

let app: TestApp
let operator: Operator
const sealer = createSealer(Buffer.from('a key for this test alone, 32 characters'))
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
})
afterAll(async () => {
  expect(await verifyAudit(app.database.db, { sealer })).toMatchObject({ whole: true })
  await app[Symbol.asyncDispose]()
})

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.database.db)
/** The objects of a kind of item on Overview, as if nobody had looked for a while. */
async function waiting(kind: AttentionKind) {
  await run(sql`update attention_looks set looked_at = looked_at - interval '1 minute'`)
  const { items } = await operator.api.ask(attentionList, {})
  return items.filter((item) => item.kind === kind).map(({ object }) => object)
}
/** A customer with a running cluster, of whom nothing else waits. */
async function createCustomer() {
  const person = await app.createPerson()
  const ids = await createIds(app.database, person)
  await run(sql`update account_holds set released_at = now() where account_id = ${person.userid}`)
  await run(sql`delete from abuse_reports where account_id = ${person.userid}`)
  await run(sql`update instances set status = 'running' where cluster_id = ${ids.clusterId}`)
  await run(sql`update clusters set status = 'running', desired = 'running' where id = ${ids.clusterId}`)
  return { person, ...ids }
}

it('an abusive customer is found by a host, suspended, heard, and released', async () => {
  const { person, clusterId, accountId } = await createCustomer()
  await run(sql`insert into cluster_addresses (value, cluster_id, account_id, from_at)
    values ('spam.example', ${clusterId}, ${accountId}, now() - interval '1 day')`)
  const seenAt = new Date(Date.now() - 3_600_000).toISOString()
  const { holders } = await operator.api.ask(abuseFind, { what: 'https://spam.example/x', at: seenAt })
  expect(holders).toMatchObject([{ clusterId, person: { accountId } }])
  const report = { what: 'spam.example', seenAt, reporter: 'a neighbour', text: 'It sends mails without end.' }
  const { reportId } = await operator.api.ask(abuseReport, report)
  expect(await waiting('abuseReports')).toHaveLength(1)

  const suspension = { accountId, scope: 'servers', why: 'abuse', text: 'Why so many mails?', reason: 'spam' }
  expect((await operator.act('suspend', customerSuspend, suspension)).code).toBe(codes.ok)
  await runJob(app, 'staff.holds')
  expect((await person.api.send(clusterStart, { clusterId })).code).not.toBe(codes.ok)
  expect(await waiting('waitingHolds')).toEqual([])
  const [hold] = await person.api.ask(userHolds, {})
  const holdId = hold?.holdId ?? ''
  await person.api.ask(userHoldAnswer, { holdId, text: 'A stolen password; it is changed.' })
  expect(await waiting('waitingHolds')).toEqual([accountId])
  await operator.act('release', customerRelease, { holdId, reason: 'they answered' })
  await operator.api.ask(abuseClose, { reportId, outcome: 'suspended', text: 'The password is changed.' })
  expect([await waiting('waitingHolds'), await waiting('abuseReports')]).toEqual([[], []])
})

it('a disputing customer is not refunded too: the bank gets evidence, once, and decides', async () => {
  const harness = await openChargingHarness(app.database)
  const { paymentId } = await harness.order(2880, await harness.addCard('4000000000000259'), new Date())
  await harness.carry(paymentId)
  const paymentRef = (await findPayment(app.database.db, paymentId))?.gateway_ref ?? ''
  await harness.runJob('billing.movements', { paymentRef })
  expect(await waiting('openDisputes')).toHaveLength(1)
  const refund = { paymentId, amount: 100, way: 'card', reason: 'asked by mail' }
  expect((await operator.act('refund', customerRefund, refund)).message).toContain('disputed')
  const { disputes } = await operator.api.ask(moneyShow, { currency: 'usd' })
  const disputeId = disputes[0]?.disputeId ?? ''
  const answer = { disputeId, way: 'evidence', text: 'winning_evidence', reason: 'it ran all month' }
  expect((await operator.act('dispute', disputeAnswer, answer)).code).toBe(codes.ok)
  await runJob(app, 'billing.disputeAnswer', { disputeId })
  await harness.runJob('billing.movements', { paymentRef })
  expect((await operator.api.ask(moneyShow, { currency: 'usd' })).disputes).toMatchObject([{ disputeId, state: 'won' }])
  expect(await waiting('openDisputes')).toEqual([])
})

it('a stuck cluster is given up with a word to its owner, and stuck no longer', async () => {
  const { clusterId, accountId, instanceId } = await createCustomer()
  await run(sql`update instances set status = 'errored', error = '{"key":"unexpected"}',
    changed_at = now() - interval '1 hour' where id = ${instanceId}`)
  expect(await waiting('stuckClusters')).toEqual([clusterId])
  await operator.api.ask(customerLook, { accountId, reason: 'their cluster is stuck' })
  await operator.api.ask(staffClusterGiveUp, { clusterId, text: 'The machine has a full disk.' })
  expect(await waiting('stuckClusters')).toEqual([])
  expect((await operator.api.ask(staffClustersPage, { group: 'stuck' })).clusters).toEqual([])
})

it('a departing customer has an export, is erased, and stands in lists by a pseudonym alone', async () => {
  const person = await app.createPerson()
  const name = (await person.api.ask(userInfo, {})).terminusName ?? ''
  const asked = { accountId: person.userid, reason: 'asked by mail' }
  const { exportId } = await operator.api.ask(customerExport, asked)
  await runJob(app, 'account.export', { id: exportId })
  expect((await operator.act('erase', customerErase, asked)).code).toBe(codes.ok)
  await operator.api.ask(customerLook, asked)
  const { customer } = await operator.api.ask(customerShow, { accountId: person.userid })
  expect(customer).toMatchObject({ state: 'closing' })
  await endNow(app, person)
  expect(await tracesOf(app, [person.did, name])).toEqual([])
  const { customers } = await operator.api.ask(customersPage, { search: 'customer-' })
  expect(customers).toMatchObject([{ person: { accountId: person.userid, terminusName: null }, email: null }])
  expect(await openArchive(app.database.db, sealer, { accountId: person.userid })).toEqual([])
})
