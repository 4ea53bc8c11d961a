/** A harness whose account asks for plans, of a catalogue that may change under it. */
import type { TestClock } from '@atoll/testkit'
import { expect } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import { findPlanSubscription, listItems } from '../records/documents/subscription-store.ts'
import { listEnding } from '../renewals/decide-renewal.ts'
import { loadRenewal } from '../renewals/load-renewal.ts'
import { lowerPlans } from '../renewals/renew.ts'
import { quotePlan } from '../routes/quote-plan.ts'
import { requestPlan } from '../sell/change-plan.ts'
import { listPlans } from '../sell/list-plans.ts'
import { openHarness } from './billing-harness.ts'
import { catalogOf, testPlans } from './test-plans.ts'

/** When the account is made. */
export const start = new Date('2027-01-01T00:00:00Z')

export type PlanHarness = Awaited<ReturnType<typeof openPlanHarness>>

/** An account of its own on Free; `clock` is set to its `start`. */
export async function openPlanHarness(database: Database, clock: TestClock) {
  clock.set(start)
  let catalog = catalogOf(testPlans)
  const harness = await openHarness(database, { clock, catalog: { current: () => catalog.current() } })
  /** From now on these plans are sold. */
  const sell = (plans: typeof testPlans) => {
    catalog = catalogOf(plans)
  }

  const caller = () => ({
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  })
  const change = (planLevel: number, more: { estimateToken?: string; requestId?: string } = {}) =>
    requestPlan(harness.deps, caller(), { planLevel, ...more })
  const quote = (planLevel: number) => quotePlan(harness.deps, harness.userid, planLevel, 'en-US')
  const show = () => listPlans(harness.deps, harness.userid, 'en-US')
  const limits = async () => (await harness.deps.accounts.getLimits(database.db, harness.userid)).vCpuQuota
  const pay = (invoiceId: string | undefined) =>
    harness.transact((trx) =>
      harness.billing.pay(trx, { userid: harness.userid, invoiceId: invoiceId ?? '', at: clock.now(), method: null }),
    )
  /** A renewal's part at the end of the plan's period, without its charge. */
  const renew = () =>
    harness.transact(async (trx) => {
      const subscription = await findPlanSubscription(trx, harness.userid)
      if (!subscription) return undefined
      const { id, userid, period_end: at } = subscription
      const limits = await harness.deps.accounts.lockLimits(trx, userid)
      const facts = await loadRenewal(harness.deps, trx, { userid, object: id, dueAt: at, at, limits })
      await lowerPlans(harness.deps, trx, listEnding(facts, at, limits.zone))
      return (await listItems(trx, { subscriptionIds: [id] })).find(({ state }) => state === 'active')
    })
  const invoices = async () =>
    (
      await database.pool.query(
        'select kind, total_minor, state from invoices where userid = $1 order by issued_at, number',
        [harness.userid],
      )
    ).rows.map(({ kind, total_minor: total, state }) => [kind, total, state])

  async function expectBooksToHold(): Promise<void> {
    expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
    const sealer = createSealer(Buffer.alloc(32, 7))
    expect(await verifyLedger(database.db, { sealer, userid: harness.userid })).toMatchObject({ whole: true })
  }

  return { ...harness, sell, change, quote, show, limits, pay, renew, invoices, expectBooksToHold }
}

/** The key of what was refused; anything else that is thrown is a defect. */
export const refusalOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !(error instanceof Refusal)) throw error
  return error?.key
}
