/** Any sequence of dispute states from a gateway, with repeats: the books follow, and nothing is given for free. */
import { money } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import type { DisputeState, Movements } from '../../../payments/index.ts'
import { verifyDocuments } from '../../operator/verify-documents.ts'
import { spendable } from '../../records/dispute-store.ts'
import { openChargingHarness } from '../../testing/charging-harness.ts'
import { sandboxCharging } from '../../testing/sandbox-charging.ts'

const database = useDatabase({ max: 8 })
const price = 2880
const clock = { now: () => new Date() }

/** The next state that the gateway shows, or the customer's next act. */
type Step =
  | { kind: 'shows'; state: DisputeState; withdrawn: number }
  | { kind: 'refunds'; minor: number; state: 'done' | 'failed' }
  | { kind: 'repeats' | 'destroys' | 'pays' | 'is tried' }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('shows' as const),
      state: fc.constantFrom<DisputeState>('inquiry', 'open', 'won', 'lost', 'closed'),
      withdrawn: fc.constantFrom(0, 1, 1000, price),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('refunds' as const),
      minor: fc.constantFrom(1, 880),
      state: fc.constantFrom('done' as const, 'failed' as const),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('repeats', 'destroys', 'pays', 'is tried') }) as fc.Arbitrary<Step>,
    weight: 3,
  },
)

test('any history of a dispute leaves books that are sound, and a gateway that has what they say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), async (steps, hasPromo) => {
      const shown: Movements = { refunds: [], disputes: [] }
      const charging = sandboxCharging(database.db, clock)
      const readMovements = async () => ({ kind: 'movements' as const, ...shown })
      const harness = await openChargingHarness(database, { gateway: { ...charging.gateway, readMovements } })
      const { userid, billing, transact } = harness
      if (hasPromo) await harness.grant(500, clock.now())
      const card = await harness.addCard('4242424242424242')
      const { invoiceId, paymentId } = await harness.order(price, card, clock.now())
      await harness.carry(paymentId)
      const { rows } = await database.pool.query(
        'select ref, amount_minor from sandbox_payments where payment_id = $1',
        [paymentId],
      )
      const { ref: paymentRef, amount_minor } = rows[0]
      const first = Number(amount_minor)
      const own = () => harness.runJob('billing.movements', { paymentRef })
      let other: Awaited<ReturnType<typeof harness.addCard>> | undefined
      const actions = {
        repeats: own,
        async destroys() {
          const sold = await database.pool.query<{ id: string }>(
            "select instance_id as id from subscription_items where userid = $1 and state in ('active', 'past_due')",
            [userid],
          )
          const instances = sold.rows.map(({ id }) => ({ instanceId: id, hasRun: false }))
          await transact((trx) => billing.refund(trx, { userid, instances, at: clock.now() }))
        },
        async pays() {
          other ??= await harness.addCard('5555555555554444')
          const method = other
          const tried = await transact((trx) => billing.pay(trx, { userid, invoiceId, at: clock.now(), method }))
          if (tried && !tried.paid) await harness.carry(tried.paymentId)
        },
        'is tried': () => harness.runDue(),
      }
      for (const one of steps) {
        if (one.kind === 'shows') {
          const withdrawn = money(one.state === 'inquiry' ? 0 : Math.min(one.withdrawn, first), 'usd')
          const about = { paymentRef, ref: `dp ${paymentRef}`, amount: money(first, 'usd'), reason: 'fraudulent' }
          shown.disputes = [{ ...about, withdrawn, state: one.state, dueBy: null }]
          await own()
        } else if (one.kind === 'refunds') {
          const about = { paymentRef, ref: `re ${paymentRef}`, refundId: null }
          shown.refunds = [{ ...about, amount: shown.refunds[0]?.amount ?? money(one.minor, 'usd'), state: one.state }]
          await own()
        } else await actions[one.kind]()
        await own()

        expect(await verifyDocuments(database.db, userid)).toBeUndefined()
        const sealer = createSealer(Buffer.alloc(32, 7))
        expect(await verifyLedger(database.db, { sealer, userid })).toMatchObject({ whole: true })
        const withdrawn = shown.disputes[0]?.withdrawn.minor ?? 0
        const known = await database.pool.query('select state from card_refunds where userid = $1', [userid])
        const given = known.rows[0]?.state === 'done' ? (shown.refunds[0]?.amount.minor ?? 0) : 0
        const taken = Object.values(await harness.captures()).reduce((sum, minor) => sum + minor, 0)
        expect(await harness.balance('gateway:sandbox')).toBe(taken - withdrawn - given)
        const disputed = await harness.balance('disputed')
        const isPartlyWon = shown.disputes[0]?.state === 'won' && withdrawn < first
        expect(disputed).toBe(shown.disputes[0]?.state === 'lost' || isPartlyWon ? 0 : withdrawn)
        // Nobody has more to spend, promotional credit aside, than was taken of cards and is there still.
        const { rows: owed } = await database.pool.query(
          "select coalesce(sum(balance_minor), 0)::int as minor from ledger_balances where book = $1 and account like 'held:%'",
          [userid],
        )
        const cash = spendable(await harness.balance('cash'), disputed)
        expect(-cash - owed[0].minor).toBeLessThanOrEqual(Math.max(taken - withdrawn - given, 0))
        const invoice = await database.db
          .selectFrom('invoices')
          .select(['state', 'lost_minor'])
          .where('id', '=', invoiceId)
          .executeTakeFirstOrThrow()
        if ((await harness.balance('receivable')) > 0) expect(invoice.state).toBe('open')
        expect(await harness.balance('receivable')).toBeGreaterThanOrEqual(0)
      }
    }),
    {
      numRuns: 12,
      examples: [
        [[{ kind: 'destroys' }, { kind: 'shows', state: 'lost', withdrawn: price }, { kind: 'pays' }], false],
        [[{ kind: 'shows', state: 'lost', withdrawn: 1000 }, { kind: 'destroys' }, { kind: 'repeats' }], false],
      ],
    },
  )
})
