import type { Locale } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { billingMail, MailOrder } from '../../mail/index.ts'
import type { BillingDeps } from '../index.ts'
import { insertRedemption } from '../records/coupon-store.ts'
import { requestPlan } from '../sell/change-plan.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'

const database = useDatabase({ max: 8 })

type Sent = Omit<MailOrder<typeof billingMail.params>, 'params'> & { params: z.output<typeof billingMail.params> }

/** An account with an address whose mails are kept here, on a clock that the test moves. */
async function openMailed(locale: Locale = 'en-US', more: Partial<BillingDeps> = {}) {
  let now = new Date('2027-03-01T10:00:00Z')
  const sent: Sent[] = []
  const harness = await openHarness(database, {
    clock: { now: () => now },
    ...more,
    findMethod: async () => null,
    mail: {
      async post(_, order) {
        const mail = order as unknown as Sent // billing sends mails of its own kind alone
        sent.push(mail)
        expect(mail.params.action, `the button of “${mail.params.subject}”`).toBeDefined()
        return 'ml_none'
      },
    },
  })
  await database.pool.query('update accounts set email = $2, locale = $3, zone = $4 where account_id = $1', [
    harness.userid,
    'reef@mail.example',
    locale,
    locale === 'zh-CN' ? 'UTC+8' : 'UTC',
  ])
  const clusterId = await harness.insertCluster()
  await database.pool.query(`update clusters set name = 'Rangiroa' where id = $1`, [clusterId])
  return {
    harness,
    clusterId,
    sent,
    now: () => now,
    /** Subjects of the mails since it was asked last. */
    news: () => sent.splice(0).map(({ params }) => params.subject),
    async goTo(time: string) {
      now = new Date(time)
      await harness.runDue()
      await harness.runDue()
    },
  }
}

async function order({ harness, clusterId, now }: Awaited<ReturnType<typeof openMailed>>) {
  const instanceId = await harness.insertInstance(clusterId)
  const instances = [{ instanceId, terms: instanceTerms(1440) }]
  const facts = { userid: harness.userid, clusterId, instances, at: now(), coupons: [], method: null }
  const ordered = await harness.transact((trx) => harness.billing.order(trx, facts))
  return { instanceId, invoiceId: ordered.invoiceId ?? '' }
}
const pay = (harness: Harness, invoiceId: string, at: Date) =>
  harness.transact((trx) => harness.billing.pay(trx, { userid: harness.userid, invoiceId, at, method: null }))
async function renewalOf({ userid }: Harness): Promise<string> {
  const invoices = database.db.selectFrom('invoices').select('id').where('userid', '=', userid)
  return (await invoices.where('kind', '=', 'renewal').executeTakeFirstOrThrow()).id
}

it('mails each step from an order to the end of its cluster, once', async () => {
  const mailed = await openMailed()
  const { harness, news, goTo, sent, now } = mailed
  const { invoiceId } = await order(mailed)
  await goTo('2027-03-02T06:00:00Z')
  expect(sent[0]?.params.before[0]).toBe(
    'Rangiroa worker 1: it can be paid until 2 Mar 2027, 10:00 UTC and is then canceled.',
  )
  expect(news()).toEqual(['Pay within 4 hours, or your order is canceled'])
  await harness.credit(1440)
  await pay(harness, invoiceId, now())
  expect(sent[0]?.params.table).toEqual({
    // They add up to the total: what paid it is listed below.
    rows: [{ label: 'Rangiroa worker 1, bay 1440', value: '$14.40', notes: ['$14.40 × 1 month = $14.40'] }],
    total: { label: 'Total', value: '$14.40' },
  })
  expect(sent[0]?.params.after[0]).toBe('Paid by balance $14.40.')
  // An order paid that late is issued on a new invoice.
  const paid = await database.db
    .selectFrom('invoices')
    .select('id')
    .where('state', '=', 'paid')
    .executeTakeFirstOrThrow()
  expect(sent[0]?.params).toMatchObject({ pdfOf: paid.id, action: { path: `/payment/${paid.id}` } })
  expect(news()).toEqual(['Paid: $14.40'])
  // Paid late, its period begins with the payment.
  await goTo('2027-03-30T06:00:00Z')
  expect(news()).toEqual(['$14.40 will be due on 2 Apr 2027'])
  await goTo('2027-04-02T06:00:00Z')
  expect(sent[0]?.params.before[1]).toBe('Everything keeps running. The next attempt is on 3 Apr 2027.')
  expect(sent[0]?.params.after[1]).toBe(
    'If it is still unpaid on 7 Apr 2027, 06:00 UTC, Rangiroa will be stopped. Files are kept until 21 Apr 2027, 06:00 UTC, then they are deleted.',
  )
  for (const day of ['03', '05']) await goTo(`2027-04-${day}T06:00:00Z`)
  expect(sent[2]?.params.after[1]).toMatch('unpaid on 7 Apr 2027, 06:00 UTC, Rangiroa')
  expect(news()).toEqual(Array(3).fill('The payment of $14.40 did not go through'))
  await goTo('2027-04-07T06:00:00Z')
  expect(sent[0]?.params).toMatchObject({
    before: [expect.anything(), 'This was the last of four attempts.'],
    after: [expect.anything()],
  })
  expect(news()).toEqual(['The payment of $14.40 did not go through', 'Stopped: Rangiroa'])
  await goTo('2027-04-14T06:00:00Z')
  expect(news()).toEqual(['7 days left to pay $14.40'])
  await goTo('2027-04-20T06:00:00Z')
  expect(sent[0]?.params.before[0]).toBe(
    'Rangiroa will be destroyed with all files on 21 Apr 2027, 06:00 UTC, unless this is paid before.',
  )
  expect(news()).toEqual(['1 day left to pay $14.40'])
  await goTo('2027-04-21T06:00:00Z')
  expect(sent[0]?.params.table).toEqual({
    rows: [
      { label: 'Rangiroa worker 1, bay 1440', value: '$14.40', notes: ['$14.40 × 1 month = $14.40'] },
      { label: 'Given back', value: '−$12.00' },
    ],
    total: { label: 'To pay', value: '$2.40' },
  })
  expect(news()).toEqual(['Destroyed: Rangiroa'])
  await harness.credit(240)
  await pay(harness, await renewalOf(harness), now())
  expect(news()).toEqual(['Paid: $2.40'])
  await goTo('2027-06-01T06:00:00Z')
  expect(news()).toEqual([])
})

it('mails in Chinese, with the days of UTC+8, that what was stopped runs again, and what was given back', async () => {
  const mailed = await openMailed('zh-CN')
  const { harness, news, goTo, sent, now, clusterId } = mailed
  await harness.credit(1440)
  const { instanceId } = await order(mailed)
  expect(sent[0]).toMatchObject({ to: 'reef@mail.example', locale: 'zh-CN', at: now() })
  expect(sent[0]?.params.after[1]).toMatch(/^账单 ATL-.{5}-0001，支付时间 2027年3月1日 18:00 UTC\+8。/)
  sent.splice(0)
  for (const day of ['01', '02', '04', '06']) await goTo(`2027-04-${day}T10:00:00Z`)
  expect(sent.find(({ params }) => params.after[1])?.params.after[1]).toBe(
    '若到2027年4月6日 18:00 UTC+8（10:00 UTC）仍未支付，Rangiroa 将停止运行，文件保留至2027年4月20日 18:00 UTC+8（10:00 UTC），之后销毁。',
  )
  expect(news().at(-1)).toBe('已停止：Rangiroa')
  await harness.credit(1440)
  await pay(harness, await renewalOf(harness), now())
  expect(news()).toEqual(['已支付 $14.40', '恢复运行：Rangiroa'])
  await goTo('2027-04-16T10:00:00Z')
  const instances = [{ instanceId, hasRun: true }]
  await harness.transact((trx) =>
    harness.billing.endInstances(trx, { userid: harness.userid, clusterId, instanceId, instances }),
  )
  expect(sent[0]?.params.table?.rows).toEqual([{ label: '退回余额', value: '$7.20' }])
  expect(news()).toEqual(['Rangiroa 退款 $7.20'])
})

it('mails of a renewal what is asked after its coupon, and by which means, as it is then paid', async () => {
  const mailed = await openMailed()
  const { harness, news, goTo, sent, now } = mailed
  const { invoiceId } = await order(mailed)
  await harness.credit(1440)
  await pay(harness, invoiceId, now())
  const coupon = { code: 'REEF10', percentOff: 10, duration: 'forever' as const, appliesTo: ['instance' as const] }
  await database.pool.query("insert into coupons (code, redeemed) values ('REEF10', 1) on conflict do nothing")
  await harness.transact((trx) => insertRedemption(trx, harness.userid, { coupon, redeemedAt: now() }))
  await harness.grant(500, now())
  await harness.credit(200)
  news()
  await goTo('2027-03-29T12:00:00Z')
  expect(sent[0]?.params).toMatchObject({
    subject: '$12.96 will be due on 1 Apr 2027',
    table: {
      rows: [
        { label: 'bay 1440', value: '$14.40' },
        { label: 'Coupon REEF10', value: '−$1.44' },
      ],
      total: { label: 'Total', value: '$12.96' },
    },
    after: [
      'As things stand it is paid by promotional credit $5.00, balance $2.00 and your card $5.96. You need not do anything.',
    ],
  })
  news()
  await harness.credit(596)
  await goTo('2027-04-01T12:00:00Z')
  expect(news()).toEqual(['Paid: $12.96'])
})

it('mails what a renewal will cost on the plan that is to come, and nothing where that is Free', async () => {
  for (const [level, expected] of [
    [1, ['$3.00 will be due on 1 Apr 2027']],
    [0, []],
  ] as const) {
    const { harness, news, goTo } = await openMailed('en-US', { catalog: catalogOf(testPlans) })
    await harness.credit(900)
    const caller = {
      userid: harness.userid,
      did: 'did:key:zTest',
      sessionId: 'ss_test',
      role: 'User' as const,
      ip: '127.0.0.1',
    }
    for (const planLevel of [2, level]) await requestPlan(harness.deps, caller, { planLevel })
    news()
    await goTo('2027-03-29T12:00:00Z')
    expect(news()).toEqual(expected)
  }
})

it('writes nothing for an account without an address', async () => {
  const mailed = await openMailed()
  await database.pool.query('update accounts set email = null where account_id = $1', [mailed.harness.userid])
  await mailed.harness.credit(1440)
  await order(mailed)
  expect(mailed.sent).toEqual([])
})
