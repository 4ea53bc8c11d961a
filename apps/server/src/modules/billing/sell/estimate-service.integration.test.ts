import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { getLimits } from '../../accounts/account-service.ts'
import { parseCatalog } from '../../catalog/index.ts'
import { basketText, readQuote } from '../pricing/estimate-token.ts'
import { type Harness, openHarness } from '../testing/billing-harness.ts'
import { estimateJson } from './estimate-json.ts'
import { type EstimateDeps, estimateAmount } from './estimate-service.ts'

const catalog = parseCatalog(
  `
clouds:
  - cloudName: bay
    driver: process
    title: Bay
    regions: [{ regionId: bay, title: Bay, place: Bay }]
    offerings:
      - { name: bay-4, title: { en-US: Bay 4, zh-CN: 海湾 4 }, cpuCoreCount: 4, memoryMiB: 512, diskMiB: 1024, price: { usd: 1440 } }
      - { name: bay-cn, title: Bay, cpuCoreCount: 4, memoryMiB: 512, diskMiB: 1024, price: { cny: 9900 } }
  - cloudName: other
    driver: process
    title: Other
    regions: [{ regionId: other, title: Other, place: Other }]
    offerings: [{ name: other-4, title: Other 4, cpuCoreCount: 4, memoryMiB: 512, diskMiB: 1024, price: { usd: 10 } }]
versions:
  - { version: 1.0.0, title: One, summary: One, image: agent, steps: [prepare] }
`,
  'test-catalog.yaml',
)
const clock = createTestClock(new Date('2027-01-31T12:00:00.500Z'))
const sealer = createSealer(Buffer.alloc(32, 7))
const database = useDatabase()
let harness: Harness
let deps: EstimateDeps
/** The harness's own cluster, in the cloud `bay`. */
const clusterId = 'cl_abcdefghijklmnopqrst'

beforeEach(async () => {
  harness = await openHarness(database)
  deps = {
    db: database.db,
    clock,
    sealer,
    catalog: { current: () => catalog },
    accounts: { getLimits: (db, userid) => getLimits(() => 16, db, userid) },
    findMethod: async () => null,
    findOwnCluster: async (_, userid, id) =>
      userid === harness.userid && id === clusterId ? { cloudName: 'bay' } : undefined,
  }
})

const keyOf = async (estimating: Promise<unknown>) =>
  await estimating.then(
    () => 'estimated',
    (error) => (error instanceof Refusal ? error.key : Promise.reject(error)),
  )

describe('an estimate', () => {
  test('returns figures, next bill and a token that is good for this account and this order', async () => {
    await harness.credit(440)
    const body = { kind: 'cluster', offering: 'bay-4' } as const
    const { estimateToken, ...figures } = estimateJson(await estimateAmount(deps, harness.userid, body), 'zh-CN')
    expect(figures).toEqual({
      amount: 1440,
      currency: 'usd',
      items: [
        {
          productName: '海湾 4',
          amount: 1440,
          quantity: 1,
          periodStart: Date.parse('2027-01-31T12:00:00Z') / 1000,
          periodEnd: Date.parse('2027-02-28T12:00:00Z') / 1000,
          proration: false,
        },
      ],
      afterCoupon: null,
      discount: 0,
      coupon: null,
      fromPromo: 0,
      fromBalance: 440,
      toCard: 1000,
      rolledOver: 0,
      perMonth: 1440,
      nextAt: '2027-02-28T12:00:00.000Z',
      validUntil: '2027-01-31T12:15:00.000Z',
    })
    const quote = readQuote(sealer, estimateToken, { userid: harness.userid, basket: basketText(body) }, clock.now())
    expect(quote).toMatchObject({ total: 1440, balance: 440, card: 1000, at: '2027-01-31T12:00:00.000Z' })
  })

  test('is made in the time of the account, which no other account shares', async () => {
    const travelled = await openHarness(database)
    const ahead = 40 * 24 * 60 * 60_000
    await database.pool.query('update accounts set clock_offset_ms = $2 where account_id = $1', [
      travelled.userid,
      ahead,
    ])
    const body = { kind: 'cluster', offering: 'bay-4' } as const
    const atOf = async (userid: string) => (await estimateAmount(deps, userid, body)).estimate.at
    const own = await atOf(harness.userid)
    expect(own).toEqual(new Date('2027-01-31T12:00:00Z'))
    expect(await atOf(travelled.userid)).toEqual(new Date(own.getTime() + ahead))
  })

  test('of workers is of all of them', async () => {
    const body = { kind: 'worker', clusterId, offering: 'bay-4', quantity: 3 } as const
    const { amount, items } = estimateJson(await estimateAmount(deps, harness.userid, body), 'en-US')
    expect(amount).toBe(4320)
    expect(items).toMatchObject([{ productName: 'Bay 4', amount: 4320, quantity: 3 }])
  })

  test('of what is not sold there or in this currency, or for somebody else’s cluster, is refused', async () => {
    const ask = (body: Parameters<typeof estimateAmount>[2], userid = harness.userid) =>
      keyOf(estimateAmount(deps, userid, body))
    expect(await ask({ kind: 'cluster', offering: 'bay-99' })).toBe('offeringNotSold')
    expect(await ask({ kind: 'cluster', offering: 'bay-cn' })).toBe('offeringNotSold')
    expect(await ask({ kind: 'worker', clusterId, offering: 'other-4', quantity: 1 })).toBe('offeringNotSold')
    const other = await openHarness(database)
    expect(await ask({ kind: 'worker', clusterId, offering: 'bay-4', quantity: 1 }, other.userid)).toBe('notFound')
  })
})
