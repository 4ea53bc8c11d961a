/**
 * The entries of each kind of transaction (design: billing, "Ledger"). A debit is positive, as in Stripe: `cash` below
 * zero is the customer's credit, above zero their debt. Pure functions.
 */
import { addMoney, type Money, money } from '@atoll/money'

/** Sources of revenue; each part of an invoice is booked under one of them. */
export const revenues = ['instance', 'plan', 'usage'] as const
export type Revenue = (typeof revenues)[number]

export type LedgerAccount =
  | 'cash'
  | 'promo'
  | 'disputed'
  | 'held:cash'
  | 'held:promo'
  | 'receivable'
  | `gateway:${string}`
  | `revenue:${Revenue}`
  | 'discount'
  | 'promo_cost'
  | 'writeoff'
  | 'adjust'

/** An item of an invoice or credit note: its price before the discount, and how much of it the discount takes. */
export interface Earned {
  revenue: Revenue
  gross: Money
  discount: Money
}
/** Amounts out of what the customer has. */
export interface FromCustomer {
  cash: Money
  promo: Money
}
/** An amount taken or given back by a payment gateway. */
export interface AtGateway {
  driver: string
  amount: Money
}

/** Parts of what is disputed: what had paid an invoice, and what had become credit. */
export interface Disputed {
  receivable: Money
  cash: Money
}

/**
 * The facts that each kind is posted from. Amounts are zero or more, except of adjustments, write-offs and disputes.
 */
export interface LedgerFacts {
  /** An invoice is issued. */
  invoice: { items: readonly Earned[] }
  /** It is taken back whole: the facts that it was issued from. */
  void: { items: readonly Earned[] }
  /** Set aside for a payment under way, and given back by one that failed. */
  hold: FromCustomer
  release: FromCustomer
  /** An invoice is paid: from what was set aside, and by card. */
  pay: { held: FromCustomer; card: AtGateway | null }
  /** An amount too small to charge to a card moves to the next bill, as a debt in `cash`. */
  roll: { amount: Money }
  /** A rolled amount is collected with a later invoice. */
  collect: AtGateway
  /** A card paid for an invoice that was void by then: it becomes credit. */
  late_capture: AtGateway
  /** Items, or parts of them, are given back: to the balance, off what is still owed, or as promotional credit. */
  credit_note: { items: readonly Earned[]; to: { cash: Money; receivable: Money; promo: Money } }
  /** Promotional credit is given; what is left of it ends. */
  grant: { amount: Money }
  lapse: { amount: Money }
  /** Credit goes back to the card: out of what was set aside for it, or of the balance where nothing was. */
  card_refund: AtGateway & { isHeld: boolean }
  /** A refund to the card was returned by the bank: it becomes credit again. */
  refund_returned: AtGateway
  /** A bank takes back what a card paid, or, with less than zero, puts it back. */
  dispute: AtGateway
  /** A dispute is lost: the invoice that the payment had paid is owed again, and credit made from it is taken back. */
  dispute_lost: Disputed
  /** A lost amount is returned by the bank after all. */
  dispute_returned: Disputed
  /** A debt is written off or, if the amount is below zero, is paid after all. */
  write_off: { amount: Money }
  /** The operator gives credit (more than zero) or takes it. */
  adjust: { amount: Money }
}
export type LedgerKind = keyof LedgerFacts

/** One line of a transaction; never zero, and one for each account. */
export interface Entry {
  account: LedgerAccount
  amount: Money
}

type Line = [account: LedgerAccount, amount: Money]

const negative = ({ minor, currency }: Money): Money => money(-minor, currency)
const reversed = (lines: Line[]): Line[] => lines.map(([account, amount]) => [account, negative(amount)])

/** `amount`, of either sign, moves to the account `debit` out of the account `credit`. */
function shift(debit: LedgerAccount, credit: LedgerAccount, amount: Money): Line[] {
  return [
    [debit, amount],
    [credit, negative(amount)],
  ]
}

function move(debit: LedgerAccount, credit: LedgerAccount, amount: Money): Line[] {
  if (amount.minor < 0) throw new RangeError(`${amount.minor} cannot move from ${credit} to ${debit}.`)
  return shift(debit, credit, amount)
}

function earn({ items }: { items: readonly Earned[] }): Line[] {
  return items.flatMap(({ revenue, gross, discount }) => [
    ...move('receivable', `revenue:${revenue}`, gross),
    ...move('discount', 'receivable', discount),
  ])
}

const hold = ({ cash, promo }: FromCustomer) => [
  ...move('cash', 'held:cash', cash),
  ...move('promo', 'held:promo', promo),
]
const grant = ({ amount }: { amount: Money }) => move('promo_cost', 'promo', amount)
const lose = ({ receivable, cash }: Disputed) => [
  ...move('receivable', 'disputed', receivable),
  ...move('cash', 'disputed', cash),
]
const takeFromCard = ({ driver, amount }: AtGateway) => move(`gateway:${driver}`, 'cash', amount)

/** The net of the items leaves the receivable; what was paid of it goes back from there. */
function credit({ items, to }: LedgerFacts['credit_note']): Line[] {
  const net = items.reduce((sum, { gross, discount }) => sum + gross.minor - discount.minor, 0)
  const given = to.cash.minor + to.receivable.minor + to.promo.minor
  if (net !== given || to.receivable.minor < 0) throw new RangeError(`Items of ${net} cannot be credited as ${given}.`)
  return [
    ...reversed(earn({ items })),
    ...move('receivable', 'cash', to.cash),
    ...move('receivable', 'promo', to.promo),
  ]
}

const lines: { [Kind in LedgerKind]: (facts: LedgerFacts[Kind]) => Line[] } = {
  invoice: earn,
  void: (facts) => reversed(earn(facts)),
  hold,
  release: (facts) => reversed(hold(facts)),
  pay: ({ held, card }) => [
    ...move('held:cash', 'receivable', held.cash),
    ...move('held:promo', 'receivable', held.promo),
    ...(card ? move(`gateway:${card.driver}`, 'receivable', card.amount) : []),
  ],
  roll: ({ amount }) => move('cash', 'receivable', amount),
  collect: takeFromCard,
  late_capture: takeFromCard,
  credit_note: credit,
  grant,
  lapse: (facts) => reversed(grant(facts)),
  card_refund: ({ driver, amount, isHeld }) => move(isHeld ? 'held:cash' : 'cash', `gateway:${driver}`, amount),
  refund_returned: takeFromCard,
  dispute: ({ driver, amount }) => shift('disputed', `gateway:${driver}`, amount),
  dispute_lost: lose,
  dispute_returned: (facts) => reversed(lose(facts)),
  write_off: ({ amount }) => shift('writeoff', 'receivable', amount),
  adjust: ({ amount }) => shift('adjust', 'cash', amount),
}

export const ledgerKinds = Object.keys(lines) as LedgerKind[] // `lines` has exactly the kinds, by its type

/**
 * The entries of one transaction, in the order of the facts: even by construction. Throws for amounts of different
 * currencies, for a negative one that is no adjustment, and where nothing moves.
 */
export function entriesOf<Kind extends LedgerKind>(kind: Kind, facts: LedgerFacts[Kind]): Entry[] {
  const sums = new Map<LedgerAccount, Money>()
  let total: Money | undefined
  for (const [account, amount] of lines[kind](facts)) {
    total = total ? addMoney(total, amount) : amount
    const sum = sums.get(account)
    sums.set(account, sum ? addMoney(sum, amount) : amount)
  }
  const entries = [...sums].map(([account, amount]) => ({ account, amount })).filter(({ amount }) => amount.minor !== 0)
  if (entries.length === 0) throw new RangeError(`Nothing moves in this ${kind}.`)
  return entries
}
