import { addMonths } from '@atoll/money'
import { createTestClock, createTestDatabase } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../platform/db/index.ts'
import { moveClock } from '../records/travel-store.ts'
import { requestPlan } from '../sell/change-plan.ts'
import { openHarness } from '../testing/billing-harness.ts'
import { scriptedMeters } from '../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { listUsage } from './show-usage.ts'

const start = new Date('2027-01-01T00:00:00Z')
const dayMs = 86_400_000
const after = (days: number) => new Date(start.getTime() + days * dayMs)

test('what was used before the clock was moved is billed in the period in which it was used, and a jump uses nothing', async () => {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  try {
    const clock = createTestClock(start)
    const { meters, flow } = scriptedMeters(clock)
    const harness = await openHarness(database, { clock, catalog: catalogOf(testPlans), meters })
    const { userid } = harness
    await harness.credit(1_000_000)
    await requestPlan(
      harness.deps,
      { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '127.0.0.1' },
      { planLevel: 1 },
    )
    // Stored for the ten days that passed, and not for those that were jumped over.
    flow('cloud_storage', start, 82)
    flow('cloud_traffic', after(5), 400)
    clock.set(after(10))
    const used = async () =>
      (await listUsage(harness.deps, userid))
        .filter(({ productType }) => productType === 'cloud_traffic')
        .map(({ used, overage }) => [used, overage])
    const shown = await used()
    expect(shown).toEqual([[400, 100]])
    const jump = (from: Date, to: Date) =>
      harness.transact((trx) => moveClock(trx, { userid, from, to, wallAt: clock.now() }))
    await jump(after(10), after(12))
    expect(await used()).toEqual(shown)
    clock.advance(dayMs)
    const end = addMonths(start, 1, 'UTC')
    await jump(after(13), end)
    await harness.runDue()
    const bills = async () =>
      (
        await database.pool.query(
          "select product_type as product, amount_minor as amount from invoice_items where userid = $1 and revenue = 'usage'",
          [userid],
        )
      ).rows
    // 400 - 300 GB at 3 cents; 82 GB for 11 of 31 days are 29.1 GB-months, 9.1 above 20 at 5 cents.
    const billed = [
      { product: 'cloud_storage', amount: 45 },
      { product: 'cloud_traffic', amount: 300 },
    ]
    expect(await bills()).toEqual(billed)
    // A whole period that was jumped over asks no meter, and is complete.
    const next = addMonths(start, 2, 'UTC')
    await jump(end, next)
    await harness.runDue()
    expect(await bills()).toEqual(billed)
    const { rows } = await database.pool.query(
      'select used, complete from usage_readings where userid = $1 and from_at = $2',
      [userid, end],
    )
    expect(rows).toEqual(Array(4).fill({ used: '0', complete: true }))
  } finally {
    await database.close()
  }
})
