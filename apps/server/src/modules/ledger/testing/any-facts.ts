import { type Money, money } from '@atoll/money'
import * as fc from 'fast-check'
import { type LedgerFacts, type LedgerKind, ledgerKinds, revenues } from '../postings.ts'

export const usd = (minor: number): Money => money(minor, 'usd')

/** An amount of dollars; `least` cents or more. */
const anyAmount = (least: number) => fc.integer({ min: least, max: 1_000_000 }).map(usd)
const amount = anyAmount(1)
const maybe = anyAmount(0)

const items = fc.array(
  fc.record({ revenue: fc.constantFrom(...revenues), gross: amount, part: fc.integer({ min: 0, max: 99 }) }).map(
    // Never the whole price, so that something always moves.
    ({ part, revenue, gross }) => ({ revenue, gross, discount: usd(Math.floor((gross.minor * part) / 100)) }),
  ),
  { minLength: 1, maxLength: 5 },
)
const fromCustomer = fc.record({ cash: amount, promo: maybe })
const atGateway = fc.record({ driver: fc.constantFrom('sandbox', 'stripe'), amount })
const one = fc.record({ amount })
const disputed = fc.record({ receivable: amount, cash: maybe })

const factsOf: { [Kind in LedgerKind]: fc.Arbitrary<LedgerFacts[Kind]> } = {
  invoice: fc.record({ items }),
  void: fc.record({ items }),
  hold: fromCustomer,
  release: fromCustomer,
  pay: fc.record({ held: fromCustomer, card: fc.option(atGateway) }),
  roll: one,
  collect: atGateway,
  late_capture: atGateway,
  credit_note: fc.tuple(items, fc.nat(100), fc.nat(100)).map(([given, a, b]) => {
    const net = given.reduce((sum, { gross, discount }) => sum + gross.minor - discount.minor, 0)
    const cash = Math.floor((net * a) / 100)
    const promo = Math.floor(((net - cash) * b) / 100)
    return { items: given, to: { cash: usd(cash), promo: usd(promo), receivable: usd(net - cash - promo) } }
  }),
  grant: one,
  lapse: one,
  card_refund: fc.tuple(atGateway, fc.boolean()).map(([facts, isHeld]) => ({ ...facts, isHeld })),
  refund_returned: atGateway,
  dispute: fc.tuple(atGateway, fc.constantFrom(1, -1)).map(([facts, sign]) => ({
    ...facts,
    amount: usd(sign * facts.amount.minor),
  })),
  dispute_lost: disputed,
  dispute_returned: disputed,
  write_off: one,
  adjust: fc.record({
    amount: fc.oneof(
      amount,
      amount.map(({ minor }) => usd(-minor)),
    ),
  }),
}

/** A kind with facts of it, each kind as often as another. */
export const anyFacts: fc.Arbitrary<[LedgerKind, LedgerFacts[LedgerKind]]> = fc
  .constantFrom(...ledgerKinds)
  .chain((kind) => fc.tuple(fc.constant(kind), anyFactsOf(kind)))

/** Facts of this kind alone. */
export function anyFactsOf(kind: LedgerKind): fc.Arbitrary<LedgerFacts[LedgerKind]> {
  return factsOf[kind]
}
