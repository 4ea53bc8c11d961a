/** Operators' acts on customers, from outside: suspending, releasing, crediting, refunding. */
import { userHoldAnswer, userHolds, userInfo } from '@atoll/contract/accounts'
import { auditPage } from '@atoll/contract/audit'
import { customerInfo, planChange } from '@atoll/contract/billing'
import { clusterStart, clusterStop, createCluster, destroyMaster } from '@atoll/contract/clusters'
import {
  type ApprovalAct,
  approvalBegin,
  approvalRead,
  attentionList,
  customerCredit,
  customerLook,
  customerRefund,
  customerRelease,
  customerShow,
  customerSuspend,
  customersPage,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { createApiClient } from '@atoll/testkit'
import { actSentence } from '@atoll/texts/acts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { loadConfig } from '../../config.ts'
import { createSealer } from '../../platform/crypto.ts'
import { recordAudit, verifyAudit } from '../audit/index.ts'
import { findFrpLabel } from '../clusters/network/self-host-proxy.ts'
import { findRouteByHost } from '../clusters/views/cluster-route.ts'
import { enforceHolds } from './holds/holds-job.ts'
import { createOperator, type Operator } from './testing/operator.ts'

let app: TestApp
let operator: Operator
let customer: Person
let ids: Ids
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  customer = await app.createPerson()
  ids = await createIds(app.database, customer)
  await sql`delete from account_holds where id = ${ids.holdId}`.execute(app.database.db)
  await run()
})

/** As if the customer's Cloud cluster had been made. */
async function run(): Promise<void> {
  const { db } = app.database
  const id = ids.clusterId
  await sql`update instances set status = 'running', host = '127.0.0.1', port = 1 where cluster_id = ${id}`.execute(db)
  await sql`update clusters set status = 'running', desired = 'running' where id = ${id}`.execute(db)
}
/** As if its machine had stopped. */
async function haveStopped(): Promise<void> {
  const { db } = app.database
  await sql`update instances set status = 'stopped' where cluster_id = ${ids.clusterId}`.execute(db)
  await sql`update clusters set status = 'stopped' where id = ${ids.clusterId}`.execute(db)
}
const statusOf = async () => {
  const { rows } = await sql<{ status: string; label: string }>`select status, host_label as label from clusters
    where id = ${ids.clusterId}`.execute(app.database.db)
  return rows[0]
}
const enforce = () => enforceHolds({ db: app.database.db, clock: app.system.clock, clusters: app.system.clusters })

const suspension = (facts: object = {}) => ({
  accountId: ids.accountId,
  scope: 'servers',
  why: 'abuse',
  text: 'Tell us why it sends so many mails.',
  reason: 'reported by three hosts',
  ...facts,
})

describe('suspending', () => {
  it('stops what runs, refuses starts and orders with the reason, and releasing brings back what was', async () => {
    const held = await operator.act('suspend', customerSuspend, suspension())
    expect(held.code).toBe(codes.ok)
    const { holdId } = held.data as { holdId: string }
    await enforce()
    expect((await statusOf())?.status).toBe('stopping')
    await haveStopped()
    const { db } = app.database
    const { clusterId } = ids
    expect(await customer.api.send(clusterStart, { clusterId })).toMatchObject({
      code: codes.conflict,
      message: expect.stringContaining('suspended'),
    })
    expect(
      (await customer.api.send(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })).message,
    ).toContain('suspended')
    expect((await customer.api.send(planChange, { planLevel: 3 })).message).toContain('suspended')
    await operator.act('release', customerRelease, { holdId, reason: 'they answered' })
    await enforce()
    expect((await statusOf())?.status).toBe('starting')
    await enforce()
    expect((await customer.api.ask(userHolds, {})).length).toBe(0)
    expect((await sql`select from hold_stops`.execute(db)).rows.length).toBe(0)
  })

  it('is released while what it stops still stops: that is started once it has stopped', async () => {
    const { holdId } = (await operator.act('suspend', customerSuspend, suspension())).data as { holdId: string }
    await enforce()
    expect((await statusOf())?.status).toBe('stopping')
    await operator.act('release', customerRelease, { holdId, reason: 'was a mistake' })
    await enforce()
    await haveStopped()
    await enforce()
    expect((await statusOf())?.status).toBe('starting')
  })

  it('of a cluster and then of its account brings back what ran only when the last of both is released', async () => {
    const suspend = async (facts: object) =>
      ((await operator.act('suspend', customerSuspend, suspension(facts))).data as { holdId: string }).holdId
    const release = (holdId: string) => operator.act('release', customerRelease, { holdId, reason: 'they answered' })
    const first = await suspend({ clusterId: ids.clusterId })
    await enforce()
    await haveStopped()
    const whole = await suspend({})
    await enforce()
    await release(first)
    await enforce()
    expect((await statusOf())?.status).toBe('stopped')
    await release(whole)
    await enforce()
    expect((await statusOf())?.status).toBe('starting')
  })

  it('goes on with the others when one cannot be enforced, and fails for it afterwards', async () => {
    const { clusters, clock } = app.system
    await operator.act('suspend', customerSuspend, suspension({ clusterId: ids.clusterId }))
    await operator.act('suspend', customerSuspend, suspension())
    let asked = 0
    const setPower: typeof clusters.setPower = async (order) => {
      asked += 1
      if (asked === 1) throw new Error('the connection was lost')
      await clusters.setPower(order)
    }
    const run = enforceHolds({ db: app.database.db, clock, clusters: { ...clusters, setPower } })
    await expect(run).rejects.toThrow(AggregateError)
    expect(asked).toBe(2)
    expect((await statusOf())?.status).toBe('stopping')
  })

  it('leaves stopped what its owner stopped at the same moment', async () => {
    const { holdId } = (await operator.act('suspend', customerSuspend, suspension())).data as { holdId: string }
    const { db } = app.database
    const { clusters } = app.system
    // The owner is faster than the job that has read that it runs.
    const setPower: typeof clusters.setPower = async (order) => {
      await customer.api.ask(clusterStop, { clusterId: ids.clusterId })
      await clusters.setPower(order)
    }
    await enforceHolds({ db, clock: app.system.clock, clusters: { ...clusters, setPower } })
    await haveStopped()
    await operator.act('release', customerRelease, { holdId, reason: 'they answered' })
    await enforce()
    expect((await statusOf())?.status).toBe('stopped')
    expect((await sql`select from hold_stops where cluster_id = ${ids.clusterId}`.execute(db)).rows).toEqual([])
  })

  it('stops what was to be destroyed once that is confirmed, and lets nothing run on for that', async () => {
    const { clusterId } = ids
    const ask = () => customer.api.send(destroyMaster, { clusterId, confirm: false })
    expect((await ask()).data).toEqual({ status: 'destroy_to_be_confirmed' })
    await operator.act('suspend', customerSuspend, suspension())
    await enforce()
    expect((await statusOf())?.status).toBe('stopping')
    await run()
    expect((await ask()).message).toContain('cannot wait to be confirmed')
    expect((await customer.api.send(destroyMaster, { clusterId, confirm: true })).data).toEqual({
      status: 'destroying',
    })
  })

  it('happens once, however many ask for it at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => operator.act('suspend', customerSuspend, suspension())))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([codes.ok, codes.conflict, codes.conflict].toSorted())
    expect((await customer.api.ask(userHolds, {})).length).toBe(1)
  })

  it('names in the wallet the one cluster that it is about, and by the DID a customer without an ID', async () => {
    const { api } = operator
    const asked = async (act: ApprovalAct, fields: object) => {
      const { nonce } = await api.ask(approvalBegin, { act, parameters: JSON.stringify(fields) })
      const { statement, name } = await createApiClient(app.origin).ask(approvalRead, { nonce })
      return { name, sentence: actSentence(statement, name, 'en-US') }
    }
    const [whole, one] = [
      await asked('suspend', suspension()),
      await asked('suspend', suspension({ clusterId: ids.clusterId })),
    ]
    expect(whole.sentence).toBe(`Suspend ${whole.name}: its clusters stop`)
    expect(one.sentence).toBe(`Suspend ${ids.clusterId} of ${one.name}: it stops`)
    const nameless = await createOperator(app)
    const about = { who: nameless.did, role: 'support', reason: 'helps no more' }
    expect((await asked('staffChange', about)).sentence).toBe(`Give ${nameless.did} the role support`)
  })

  it('with visitors alone turns them away at the edge and leaves the machine running', async () => {
    const host = async () => {
      const label = (await statusOf())?.label ?? ''
      const config = { ...loadConfig({}, '/'), edgeDomain: 'atoll.test' }
      return await findRouteByHost({ config } as never, app.database.db, `${label}.atoll.test`)
    }
    expect(await host()).toMatchObject({ serving: true, held: false })
    await operator.act('suspend', customerSuspend, suspension({ scope: 'visitors' }))
    await enforce()
    expect((await statusOf())?.status).toBe('running')
    expect(await host()).toMatchObject({ serving: false, held: true })
  })

  it('is refused by an frps, too, which carries to machines of its owner’s own', async () => {
    const { db } = app.database
    await sql`update clusters set reverse_proxy = 'frp' where id = ${ids.selfHostId}`.execute(db)
    const { rows } = await sql<{ id: string; label: string }>`select instances.id, host_label as label from instances
      join clusters on clusters.id = cluster_id where cluster_id = ${ids.selfHostId}`.execute(db)
    const config = { ...loadConfig({}, '/'), frps: { host: 'frp', port: 1, token: undefined, clusterUrl: String } }
    const label = () => findFrpLabel({ config }, db, rows[0]?.id ?? '')
    expect(await label()).toBe(rows[0]?.label)
    await operator.act('suspend', customerSuspend, suspension({ scope: 'visitors' }))
    expect(await label()).toBeUndefined()
  })

  it('is read and answered by its owner, and the answer by staff', async () => {
    await operator.act('suspend', customerSuspend, suspension({ clusterId: ids.clusterId }))
    expect(await customer.api.ask(userInfo, {})).toMatchObject({ isHeld: true })
    const [hold] = await customer.api.ask(userHolds, {})
    expect(hold).toMatchObject({ clusterId: ids.clusterId, reason: 'abuse', answer: null })
    const stranger = await app.createPerson()
    const answer = { holdId: hold?.holdId ?? '', text: 'My address was stolen.' }
    expect((await stranger.api.send(userHoldAnswer, answer)).code).toBe(codes.notFound)
    await customer.api.ask(userHoldAnswer, answer)
    const { items } = await operator.api.ask(attentionList, {})
    expect(items.filter(({ kind }) => kind === 'waitingHolds')).toMatchObject([{ object: ids.accountId }])
    await operator.api.ask(customerLook, { accountId: ids.accountId, reason: 'reads the answer' })
    const { customer: shown } = await operator.api.ask(customerShow, { accountId: ids.accountId })
    expect(shown).toMatchObject({ state: 'active', holds: [{ answer: { text: answer.text } }] })
    expect(
      (await operator.act('suspend', customerSuspend, suspension({ clusterId: ids.clusterId }))).message,
    ).toContain('already')
  })

  it('ends automatically at its time', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const other = await app.createPerson()
    await operator.act('suspend', customerSuspend, suspension({ until }))
    const states = async (person: Person) =>
      (await operator.api.ask(customersPage, { search: person.did.slice(0, 50) })).customers.map(({ state }) => state)
    expect([await states(customer), await states(other)]).toEqual([['suspended'], ['active']])
    await enforce()
    await sql`update account_holds set until = now() - interval '1 second' where account_id = ${ids.accountId}`.execute(
      app.database.db,
    )
    await enforce()
    expect(await customer.api.ask(userInfo, {})).toMatchObject({ isHeld: false })
  })
})

describe('money', () => {
  it('is credited once approved, counted against the day, and recorded without the operator’s name', async () => {
    const { accountId } = ids
    const credit = (amount: number) =>
      operator.act('credit', customerCredit, { accountId, amount, kind: 'cash', reason: 'was down for a day' })
    expect((await credit(1250)).code).toBe(codes.ok)
    expect((await customer.api.ask(customerInfo, {})).cashBalance).toBe(-1250)
    expect((await credit(49_900)).message).toContain('487.50 USD is left today')
    expect((await customer.api.ask(customerInfo, {})).cashBalance).toBe(-1250)
    const { records } = await customer.api.ask(auditPage, { kind: 'support' })
    expect(records).toMatchObject([{ action: 'support.credit', actor: null, after: { amount: '12.50' } }])
    expect(JSON.stringify(records)).not.toContain(operator.wallet.did)
  })

  it('is held to the day’s limit and deadlocks with nobody when operators credit each other at once', async () => {
    const others = await Promise.all([createOperator(app), createOperator(app)])
    const [one, other] = others
    if (!one || !other) throw new Error('two operators were made')
    const credit = async (by: Operator, to: Operator) => {
      const accountId = to.userid
      return await by.act('credit', customerCredit, { accountId, amount: 20_000, kind: 'cash', reason: 'a test' })
    }
    const answers = await Promise.all([1, 2, 3].flatMap(() => [credit(one, other), credit(other, one)]))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([
      ...Array(4).fill(codes.ok),
      codes.conflict,
      codes.conflict,
    ])
  })

  it('goes back to no card that paid nothing', async () => {
    const { paymentId } = ids
    const asked = await operator.act('refund', customerRefund, {
      paymentId,
      amount: 100,
      way: 'card',
      reason: 'asked for',
    })
    expect(asked.message).toContain('0.00 USD is the most')
  })

  it('leaves a log that verifies with every approval', async () => {
    const sealer = createSealer(new TextEncoder().encode('x'.repeat(32)))
    const { db } = app.database
    expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: true })
    // As if somebody with the database had credited again, in the operator's name and with what the operator signed.
    const { accountId } = ids
    await operator.act('credit', customerCredit, { accountId, amount: 100, kind: 'cash', reason: 'was down' })
    const { rows } = await sql<{ after: string }>`select after from audit_entries
      where action = 'support.credit' order by seq desc limit 1`.execute(db)
    const after = JSON.parse(rows[0]?.after ?? '{}')
    await db.transaction().execute((trx) =>
      recordAudit(trx, {
        actor: { userid: operator.userid, sessionId: null },
        ip: null,
        action: 'support.credit',
        after,
        object: { kind: 'support', id: accountId, owner: customer.userid },
      }),
    )
    expect(await verifyAudit(db, { sealer })).toMatchObject({
      whole: false,
      problem: expect.stringContaining('used in a record before'),
    })
  })
})
