import { usageExportPath } from '@atoll/contract/billing'
import { codes } from '@atoll/contract/wire'
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { acceptBodies } from '../../../../http/request/body.ts'
import { createHttpServer } from '../../../../http/server.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { usageExportPlugin } from '../../index.ts'
import { after, days, end, openUsageHarness, start } from '../../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()

test('the file of a period has a line for each day, cluster and product, and no name in it is a formula', async () => {
  const harness = await openUsageHarness(database, clock)
  const clusterId = await harness.insertCluster()
  await database.pool.query('update clusters set name = $2 where id = $1', [clusterId, '=HYPERLINK("http://evil")'])
  await harness.change(1)
  harness.script.flow('cloud_traffic', after(2 * days), 250.5, start, clusterId)
  harness.script.flow('cloud_traffic', after(4 * days), 100, start, clusterId)
  await harness.runUntil(end)
  const app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const session = {
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    expiresAt: new Date(8e15),
  }
  const authenticate = async (_: string, token: string) => (token === 'good' ? session : refuse('signedOut'))
  let computed = 0
  const billing: Parameters<typeof usageExportPlugin>[0]['billing'] = {
    async listUsageRows(...asked) {
      computed += 1
      return await harness.billing.listUsageRows(...asked)
    },
  }
  await app.register(usageExportPlugin({ billing, authenticate }))
  const get = async (payload: Record<string, string>) => {
    const headers = { userid: harness.userid, token: 'good' }
    return await app.inject({ method: 'POST', url: usageExportPath, headers, payload })
  }
  const { rows } = await database.pool.query("select number from invoices where userid = $1 and kind = 'usage'", [
    harness.userid,
  ])
  const answer = await get({ end: end.toISOString() })
  expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
  const [head = '', ...lines] = answer.payload.slice(1).trimEnd().split('\r\n')
  expect(head.replaceAll('"', '')).toBe(
    'period,day,cluster,product,used_gb,included_gb,above_gb,rate,currency,amount,invoice,cluster_id',
  )
  const line = (...fields: string[]) => fields.map((field) => `"${field}"`).join(',')
  const period = `${start.toISOString()}/${end.toISOString()}`
  const name = `'=HYPERLINK(""http://evil"")`
  const more = ['0.03', 'USD'] as const
  expect(lines).toEqual([
    line(
      period,
      '2027-01-03',
      name,
      'cloud_traffic',
      '250.5',
      '250.5',
      '0',
      ...more,
      '0.00',
      rows[0].number,
      clusterId,
    ),
    line(
      period,
      '2027-01-05',
      name,
      'cloud_traffic',
      '100',
      '49.5',
      '50.5',
      ...more,
      '1.52',
      rows[0].number,
      clusterId,
    ),
  ])
  // 50.5 GB at 3 cents: 151.5, half-even.
  expect(computed, 'rows of one file are computed together').toBe(1)
  expect((await get({ end: 'yesterday' })).json()).toMatchObject({ code: codes.badParameter })
  expect((await get({ end: start.toISOString() })).json()).toMatchObject({ code: codes.notFound })
  await app.close()
})
