import { invoicesDetail } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { Meters } from '../index.ts'
import { testPlans } from '../testing/test-plans.ts'
import { after, days, end, openUsageHarness, start } from '../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()

test('a line of usage says what was used, included and above, and each cluster’s share by its name at issue', async () => {
  const clusters: string[] = []
  const meters: Meters = {
    async read(_, { productType, to }) {
      const shares = productType === 'cloud_traffic' && clock.now() > after(days) ? [820_250_000n, 240_250_000n] : []
      const parts = shares.map((used, place) => ({ clusterId: clusters[place] ?? '', used }))
      const used = shares.reduce((sum, share) => sum + share, 0n)
      return { used, unitLabel: 'GB', asOf: to, complete: true, parts, digest: 'd' }
    },
  }
  const harness = await openUsageHarness(database, clock, testPlans, { meters })
  const rename = (id: string | undefined, name: string) =>
    database.pool.query('update clusters set name = $2 where id = $1', [id, name])
  for (const name of ['Rangiroa', 'Fakarava']) {
    clusters.push(await harness.insertCluster())
    await rename(clusters.at(-1), name)
  }
  await harness.change(1)
  await harness.runUntil(end)
  const { rows } = await database.pool.query("select id from invoices where userid = $1 and kind = 'usage'", [
    harness.userid,
  ])
  const read = async (locale: Locale) => {
    const route = harness.billing.routes.find((one) => one.call.name === invoicesDetail.name)
    const account = { userid: harness.userid, role: 'User', sessionId: 'ss_none', ip: '::1' }
    const context = { locale, account } as unknown as Parameters<NonNullable<typeof route>['handle']>[1] // all it reads
    return invoicesDetail.data.parse(await route?.handle({ invoiceId: rows[0].id }, context)).items[0]
  }
  const english = [
    '1,060.5 GB − 300 GB included = 760.5 GB × $0.03 = $22.82',
    'By cluster: Rangiroa 820.25 GB, Fakarava 240.25 GB',
  ]
  expect((await read('en-US'))?.formula).toEqual(english)
  expect((await read('en-US'))?.sum).toMatchObject({ used: '1,060.5 GB', included: '300 GB', plan: 'Starter' })
  await rename(clusters[0], 'party-photos')
  expect((await read('en-US'))?.formula).toEqual(english)
  expect((await read('zh-CN'))?.formula).toEqual([
    '1,060.5 GB − 套餐内 300 GB = 760.5 GB × $0.03 = $22.82',
    '各集群：Rangiroa 820.25 GB，Fakarava 240.25 GB',
  ])
})
