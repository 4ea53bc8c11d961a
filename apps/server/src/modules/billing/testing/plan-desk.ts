/** A desk whose account asks for plans, of a catalogue that may change under it. */
import type { TestClock } from '@atoll/testkit'
import { expect } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import { renewPlan } from '../pay/begin-plans.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { quotePlan } from '../routes/quote-plan.ts'
import { requestPlan } from '../sell/change-plan.ts'
import { listPlans } from '../sell/list-plans.ts'
import { openDesk } from './billing-desk.ts'
import { catalogOf, testPlans } from './test-plans.ts'

/** When the account is made. */
export const start = new Date('2027-01-01T00:00:00Z')

export type PlanDesk = Awaited<ReturnType<typeof openPlanDesk>>

/** An account of its own on Free; `clock` is set to its `start`. */
export async function openPlanDesk(database: Database, clock: TestClock) {
  clock.set(start)
  let catalog = catalogOf(testPlans)
  const desk = await openDesk(database, { clock, catalog: { current: () => catalog.current() } })
  /** From now on these plans are sold. */
  const sell = (plans: typeof testPlans) => {
    catalog = catalogOf(plans)
  }

  const caller = () => ({
    userid: desk.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  })
  const change = (planLevel: number, more: { estimateToken?: string; requestId?: string } = {}) =>
    requestPlan(desk.deps, caller(), { planLevel, ...more })
  const quote = (planLevel: number) => quotePlan(desk.deps, desk.userid, planLevel, 'en-US')
  const show = () => listPlans(desk.deps, desk.userid, 'en-US')
  const limits = async () => (await desk.deps.accounts.getLimits(database.db, desk.userid)).vCpuQuota
  const pay = (invoiceId: string | undefined) =>
    desk.transact((trx) =>
      desk.billing.pay(trx, { userid: desk.userid, invoiceId: invoiceId ?? '', at: clock.now(), method: null }),
    )
  /** A renewal's part at the end of the plan's period, without its charge. */
  const renew = () =>
    desk.transact(async (trx) => {
      const subscription = await findPlanSubscription(trx, desk.userid)
      return subscription && (await renewPlan(desk.deps, trx, subscription, subscription.period_end))
    })
  const invoices = async () =>
    (
      await database.pool.query(
        'select kind, total_minor, state from invoices where userid = $1 order by issued_at, number',
        [desk.userid],
      )
    ).rows.map(({ kind, total_minor: total, state }) => [kind, total, state])

  async function expectBooksToHold(): Promise<void> {
    expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
    const sealer = createSealer(Buffer.alloc(32, 7))
    expect(await verifyLedger(database.db, { sealer, userid: desk.userid })).toMatchObject({ whole: true })
  }

  return { ...desk, sell, change, quote, show, limits, pay, renew, invoices, expectBooksToHold }
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
