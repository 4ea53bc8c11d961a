/** A harness whose account uses what is metered, as a test sets its meters. */
import type { MeteredProduct } from '@atoll/contract/billing'
import { addMonths } from '@atoll/money'
import type { TestClock } from '@atoll/testkit'
import type { Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import type { BillingDeps } from '../index.ts'
import { requestPlan } from '../sell/change-plan.ts'
import { readCurrentUsage } from '../usage/current-usage.ts'
import { setCap } from '../usage/set-cap.ts'
import { listUsage } from '../usage/show-usage.ts'
import { openHarness } from './billing-harness.ts'
import { scriptedMeters } from './scripted-meters.ts'
import { catalogOf, testPlans } from './test-plans.ts'

/** When the account is made, and when its first period ends. */
export const start = new Date('2027-01-01T00:00:00Z')
export const end = addMonths(start, 1, 'UTC')
export const [hours, days] = [3_600_000, 86_400_000] as const
export const after = (ms: number) => new Date(start.getTime() + ms)

export type UsageHarness = Awaited<ReturnType<typeof openUsageHarness>>

/** An account of its own, without more with credit for all it will owe; `clock` is set to its `start`. */
export async function openUsageHarness(
  database: Database,
  clock: TestClock,
  plans = testPlans,
  { credit = 1_000_000, ...more }: Partial<BillingDeps> & { credit?: number } = {},
) {
  clock.set(start)
  const script = scriptedMeters(clock)
  const harness = await openHarness(database, { clock, catalog: catalogOf(plans), ...script.given, ...more })
  if (credit > 0) await harness.credit(credit)

  const caller = () => ({
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  })
  const change = (planLevel: number) => requestPlan(harness.deps, caller(), { planLevel })
  const cap = (amount?: number) => setCap(harness.deps, caller(), amount === undefined ? {} : { amount })
  const traffic = async () =>
    (await listUsage(harness.deps, harness.userid)).find(({ productType }) => productType === 'cloud_traffic')
  const room = () => harness.billing.trafficRoom(database.db, harness.userid)
  const mayUse = async (product: MeteredProduct = 'cloud_traffic') => {
    const { products } = await readCurrentUsage(harness.deps, database.db, harness.userid)
    return products.find((one) => one.product === product)?.state ?? 'within'
  }
  /** Moves to that time and has what is due done, as often as it falls due by then. */
  async function runUntil(at: Date): Promise<void> {
    // No more often than a period may ask its meters.
    for (let runs = 0; ; runs += 1) {
      if (runs > 100) throw new Error('What is due stays due')
      const { rows } = await database.pool.query<{ due_at: Date }>(
        "select due_at from due_items where userid = $1 and kind like 'usage%' and due_at <= $2 order by due_at limit 1",
        [harness.userid, at],
      )
      const [next] = rows
      if (!next) break
      if (next.due_at > clock.now()) clock.set(next.due_at)
      await harness.runDue()
    }
    clock.set(at)
  }
  /** Runs the hourly job, and the items that become due by it. */
  async function check(): Promise<void> {
    const job = harness.billing.jobs.find(({ name }) => name === 'billing.warnAccount')
    await job?.run({ userid: harness.userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    await harness.runDue()
  }
  const bills = async () =>
    (
      await database.pool.query(
        `select i.total_minor as total, product_type as product, period_start as at, amount_minor as amount
          from invoices i join invoice_items l on l.invoice_id = i.id
          where i.userid = $1 and i.kind = 'usage' order by i.number, line`,
        [harness.userid],
      )
    ).rows

  return { ...harness, script, change, cap, traffic, room, mayUse, check, runUntil, bills }
}
