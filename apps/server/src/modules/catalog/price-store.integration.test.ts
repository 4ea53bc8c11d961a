import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { parseCatalog } from './catalog-file.ts'
import { getPrices, keepPrice } from './price-store.ts'
import { type PriceTerms, priceIdOf, priceOfTerms, termsOfOffering, termsOfPlan } from './price-terms.ts'

const at = new Date('2027-01-01T00:00:00Z')
const database = useDatabase()

const catalogWith = (amount: number, trafficGB = 1000) =>
  parseCatalog(
    `
clouds:
  - cloudName: bay
    driver: process
    title: Bay
    regions: [{ regionId: bay, title: Bay, place: Bay }]
    offerings:
      - { name: bay-4, title: Bay 4, cpuCoreCount: 4, memoryMiB: 512, diskMiB: 1024, price: { usd: ${amount} } }
plans:
  - level: 2
    price: { usd: 900, cny: 6000 }
    quotas: { vCpu: 32, storageGB: 200, backupGB: 100, trafficGB: ${trafficGB}, cdnGB: 100, bandwidthMbit: 200 }
    overage: { cloud_traffic: { usd: "0.02", cny: "0.14" }, cdn_traffic: { cny: "0.20" } }
versions:
  - { version: 1.0.0, title: One, summary: One, image: agent, steps: [prepare] }
`,
    'test-catalog.yaml',
  )

function offeringOf(amount: number): PriceTerms {
  const offering = catalogWith(amount).clouds[0]?.offerings[0]
  return (offering && termsOfOffering('bay', offering, 'usd')) ?? never()
}
function planOf(currency: 'usd' | 'cny', trafficGB?: number): PriceTerms {
  const plan = catalogWith(0, trafficGB).plans[0]
  return (plan && termsOfPlan(plan, currency)) ?? never()
}
const keep = (terms: PriceTerms) => database.db.transaction().execute((trx) => keepPrice(trx, terms, at))

describe('a price that was sold', () => {
  test('stays what it was when the catalogue changes, and is one row however often it is sold', async () => {
    const id = await keep(offeringOf(1440))
    expect(await keep(offeringOf(1440))).toBe(id)
    const dearer = await keep(offeringOf(1990))
    expect(dearer).not.toBe(id)
    const prices = await getPrices(database.db, [{ price_id: id }, { price_id: dearer }])
    expect([id, dearer].map((one) => priceOfTerms(prices.get(one) ?? never()).minor)).toEqual([1440, 1990])
  })

  test('of a plan keeps its quotas and the rates in its currency', async () => {
    const id = await keep(planOf('usd'))
    expect((await getPrices(database.db, [{ price_id: id }])).get(id)).toMatchObject({
      level: 2,
      amount: 900,
      currency: 'usd',
      quotas: { trafficGB: 1000, drills: 0 },
      overage: { cloud_traffic: '0.02' },
    })
    const ids = [planOf('usd'), planOf('cny'), planOf('usd', 2000)].map(priceIdOf)
    expect(new Set(ids).size).toBe(3)
  })

  test.each(['update prices set terms = terms', 'delete from prices', 'truncate prices cascade'])(
    'is refused by the database to "%s"',
    async (statement) => {
      await keep(offeringOf(1440))
      await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('is append-only')
    },
  )

  test('is what its id is the hash of, in whatever order its terms are written', () => {
    const terms = offeringOf(1440)
    const turned = Object.fromEntries(Object.entries(terms).reverse()) as PriceTerms // the same fields
    expect(priceIdOf(turned)).toBe(priceIdOf(terms))
  })

  test('that nobody was sold is not there', async () => {
    await expect(getPrices(database.db, [{ price_id: `price_${'0'.repeat(64)}` }])).rejects.toThrow('never sold')
    expect(await getPrices(database.db, [])).toEqual(new Map())
  })
})

test('what has no price in a currency is not sold in it', () => {
  const offering = catalogWith(1440).clouds[0]?.offerings[0]
  expect(offering && termsOfOffering('bay', offering, 'cny')).toBeUndefined()
})

function never(): never {
  throw new Error('It is not sold.')
}
