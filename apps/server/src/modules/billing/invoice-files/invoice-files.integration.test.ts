import { invoicePdfPath, invoicesExportPath } from '@atoll/contract/billing'
import { codes } from '@atoll/contract/wire'
import type { FastifyInstance } from 'fastify'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acceptBodies } from '../../../http/request/body.ts'
import { createHttpServer } from '../../../http/server.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { refuse } from '../../../platform/refusal.ts'
import { invoiceExportPlugin, invoicePdfPlugin } from '../index.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'

const database = useDatabase({ max: 12 })
let app: FastifyInstance
let harness: Harness

const at = new Date('2027-01-31T12:00:00Z')

beforeAll(async () => {
  app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const { db } = database
  const authenticate = async (userid: string, token: string) => {
    const session = {
      userid,
      did: 'did:key:zTest',
      sessionId: 'ss_test',
      role: 'User' as const,
      expiresAt: new Date(Date.now() + 60_000),
    }
    return token === 'good' ? session : refuse('signedOut')
  }
  const config = { issuer: { product: 'Atoll', name: 'Lagoon Ltd', address: ['1 Harbour Street'] } }
  await app.register(invoicePdfPlugin({ db, clock: { now: () => new Date() }, config, authenticate }))
  await app.register(invoiceExportPlugin({ db, authenticate }))
})
afterAll(async () => {
  await app.close()
})
beforeEach(async () => {
  harness = await openHarness(database)
})

async function order(price: number, when = at, name?: string): Promise<{ invoiceId: string; clusterId: string }> {
  const clusterId = await harness.insertCluster()
  if (name) await database.pool.query('update clusters set name = $2 where id = $1', [clusterId, name])
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) }]
  const facts = { userid: harness.userid, clusterId, instances, at: when, coupons: [], method: null }
  const { invoiceId } = await harness.transact((trx) => harness.billing.order(trx, facts))
  if (invoiceId === null) throw new Error('It was free')
  return { invoiceId, clusterId }
}

const headersOf = ({ userid } = harness) => ({ userid, token: 'good' })
const getPdf = (invoiceId: string, lang?: string, by = harness) =>
  app.inject({ url: invoicePdfPath(invoiceId) + (lang ? `?lang=${lang}` : ''), headers: headersOf(by) })
const textOf = async (bytes: Buffer) => (await extractText(new Uint8Array(bytes), { mergePages: true })).text

test('an invoice is a PDF in both languages, the same bytes whenever it is asked for', async () => {
  const { invoiceId, clusterId } = await order(1440)
  const first = await getPdf(invoiceId)
  expect(first.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
  expect(await textOf(first.rawPayload)).toMatch(/Lagoon Ltd[\s\S]*Not paid yet[\s\S]*\$14\.40/)
  await database.pool.query(`update clusters set name = 'Renamed' where id = $1`, [clusterId])
  expect((await getPdf(invoiceId)).rawPayload.equals(first.rawPayload)).toBe(true)
  const chinese = await getPdf(invoiceId, 'zh-CN')
  expect(await textOf(chinese.rawPayload)).toContain('账单')
  const both = await Promise.all([getPdf(invoiceId, 'zh-CN'), getPdf(invoiceId, 'zh-CN')])
  for (const again of both) expect(again.rawPayload.equals(chinese.rawPayload)).toBe(true)
})

test('its list has what reduced each and what came back as columns, and how each amount is made', async () => {
  await harness.credit(1440)
  const { invoiceId } = await order(1440, at, 'Manihi')
  const { userid } = harness
  const { rows } = await database.pool.query('select instance_id from subscription_items where userid = $1', [userid])
  const ended = [{ instanceId: rows[0].instance_id, hasRun: true }]
  await harness.transact((trx) =>
    harness.billing.refund(trx, { userid, instances: ended, at: new Date(at.getTime() + 14 * 86_400_000) }),
  )
  const [head = '', row = ''] = (await exportCsv({})).body.trimEnd().split('\r\n')
  const cells = Object.fromEntries(
    head.split(',').map((name, place) => [name.replaceAll('"', ''), row.split('","')[place]?.replaceAll('"', '')]),
  )
  expect(cells).toMatchObject({
    id: invoiceId,
    'before discount': '14.40',
    discount: '0.00',
    credited: '7.20',
    'refunded to card': '0.00',
    formula: expect.stringContaining('14.40 × 1 month = $14.40'),
  })
  // The files say why it came back.
  const english = await textOf((await getPdf(invoiceId)).rawPayload)
  expect(english.replace(/\s+/g, ' ')).toContain('Manihi worker 1: destroyed, 14 of 28 days given back')
  const chinese = await textOf((await getPdf(invoiceId, 'zh-CN')).rawPayload)
  expect(chinese.replace(/\s+/g, '')).toContain('已销毁，退回28天中的14天')
})

test('one that is paid after it was printed says so', async () => {
  const { invoiceId } = await order(1440)
  await getPdf(invoiceId)
  await harness.credit(1440)
  const { userid } = harness
  await harness.transact((trx) => harness.billing.pay(trx, { userid, invoiceId, at, method: null }))
  const paid = await getPdf(invoiceId)
  expect(await textOf(paid.rawPayload)).toContain('Paid from the balance')
  expect((await getPdf(invoiceId)).rawPayload.equals(paid.rawPayload)).toBe(true)
})

test('nobody else gets it, nor a wrong name or language', async () => {
  const { invoiceId } = await order(1440)
  const stranger = await openHarness(database)
  for (const answer of [
    await getPdf(invoiceId, undefined, stranger),
    await getPdf(`iv_${'a'.repeat(20)}`),
    await getPdf('x'),
  ])
    expect(answer.json()).toMatchObject({ code: codes.notFound })
  expect((await getPdf(invoiceId, 'fr')).json()).toMatchObject({
    code: codes.badParameter,
    message: expect.stringMatching(/^lang: /),
  })
  const signedOut = await app.inject({ url: invoicePdfPath(invoiceId), headers: { ...headersOf(), token: 'bad' } })
  expect(signedOut.json()).toMatchObject({ code: codes.signedOut })
})

const exportCsv = (body: object, by = harness) =>
  app.inject({ method: 'POST', url: invoicesExportPath, headers: headersOf(by), payload: body })

test('the list is exported as CSV: what the filter matches, the newest first, no formula alive', async () => {
  await harness.credit(500)
  await order(500, at, '=1+1')
  await order(1440, new Date(at.getTime() + 1000))
  const { body, headers } = await exportCsv({})
  expect(headers['content-disposition']).toContain('invoices.csv')
  const lines = body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('"open","14.40","USD"')
  expect(lines[2]).toContain('"paid","5.00","USD","Balance"')
  expect(lines[2]).toContain(`"'=1+1 worker`)
  expect((await exportCsv({ status: 'paid' })).body.trimEnd().split('\r\n')).toHaveLength(2)
  expect((await exportCsv({}, await openHarness(database))).body.trimEnd().split('\r\n')).toHaveLength(1)
  expect((await exportCsv({ from: 'now' })).json()).toMatchObject({
    code: codes.badParameter,
    message: expect.stringMatching(/^from: /),
  })
})
