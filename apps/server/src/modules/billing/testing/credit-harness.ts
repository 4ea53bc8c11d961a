/** A harness whose account has nothing but what a test gives it, with a card that answers as a test says. */
import type { TestClock } from '@atoll/testkit'
import type { Database } from '../../../platform/db/index.ts'
import type { CatalogPlan } from '../../catalog/index.ts'
import { assumeCards, type Cards } from '../due/assume-cards.ts'
import { payInvoice } from '../pay/bills/pay-invoice.ts'
import { readCurrentUsage } from '../usage/current-usage.ts'
import { expectProvable } from './histories/expect-fair.ts'
import { testPlans } from './test-plans.ts'
import { openUsageHarness } from './usage-harness.ts'

/** `more`: what every plan that is sold says besides. */
export async function openCreditHarness(database: Database, clock: TestClock, more: Partial<CatalogPlan> = {}) {
  let card: { id: string; gateway: string } | null = null
  const plans = testPlans.map((plan) => (plan.level > 0 ? { ...plan, ...more } : plan))
  const harness = await openUsageHarness(database, clock, plans, { findMethod: async () => card, credit: 0 })
  const { userid, deps, transact } = harness
  const answer = (cards: Cards) => transact((trx) => assumeCards(deps, trx, { userid, at: clock.now(), cards }))

  return {
    ...harness,
    card: () => card,
    async addCard() {
      card = { id: await harness.keepCard(), gateway: 'sandbox' }
    },
    /** Payments that wait for the card are answered so. */
    answer,
    /** Pays all that is owed from the balance. */
    async payAll() {
      const { rows } = await database.pool.query<{ id: string }>(
        "select id from invoices where userid = $1 and state in ('open', 'uncollectible') order by issued_at",
        [userid],
      )
      for (const { id: invoiceId } of rows) {
        await transact((trx) => payInvoice(deps, trx, { userid, invoiceId, at: clock.now(), method: null }))
      }
    },
    /** The card is declined for something else than usage. */
    async declineSomething() {
      await database.pool.query(
        `insert into payments (id, userid, invoice_id, state, currency, promo_minor, balance_minor, rolled_minor, card_minor,
          collected_minor, method_id, gateway, decline_code, created_at, ended_at)
        select 'pay_declined' || id, userid, id, 'declined', 'usd', 0, 0, 0, 100, 0, $2, 'sandbox', 'cardDeclined', $3, $3
        from invoices where userid = $1 order by issued_at limit 1`,
        [userid, card?.id, new Date(clock.now().getTime() + 1)],
      )
    },
    /** Usage that is unbilled or unpaid, and the threshold with a card. */
    async owed() {
      const { unbilled, means } = await readCurrentUsage(deps, database.db, userid)
      const { rows } = await database.pool.query<{ unpaid: number }>(
        `select coalesce(sum(total_minor - coalesce((select promo_minor + balance_minor from payments
            where invoice_id = invoices.id and payments.state not in ('succeeded', 'declined', 'canceled')), 0)), 0)::bigint as unpaid
          from invoices where userid = $1 and kind = 'usage' and state = 'open'`,
        [userid],
      )
      return { unbilled: unbilled.minor, unpaid: rows[0]?.unpaid ?? 0, threshold: card ? 2000 : 0, means }
    },
    means: async () => (await harness.promo(clock.now())) - (await harness.balance('cash')),
    expectProvable: () => expectProvable(database, userid),
  }
}
