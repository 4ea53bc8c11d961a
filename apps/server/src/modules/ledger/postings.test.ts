import { addMoney, currencies, type Money, money } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, entriesOf, type LedgerAccount, type LedgerFacts, type LedgerKind } from './postings.ts'
import { anyFacts, anyFactsOf, usd } from './testing/any-facts.ts'

const shown = (entries: Entry[]) => Object.fromEntries(entries.map(({ account, amount }) => [account, amount.minor]))
const negated = (entries: Entry[]) =>
  shown(entries.map(({ account, amount: { minor, currency } }) => ({ account, amount: money(-minor, currency) })))
const none = usd(0)
const item = { revenue: 'instance' as const, gross: usd(1440), discount: usd(144) }

describe('a posting', () => {
  it('of any kind and facts is even, has one entry an account and none of zero', () => {
    fc.assert(
      fc.property(anyFacts, ([kind, facts]) => {
        const entries = entriesOf(kind, facts)
        expect(entries.reduce((sum, { amount }) => addMoney(sum, amount), none).minor).toBe(0)
        expect(new Set(entries.map(({ account }) => account)).size).toBe(entries.length)
        expect(entries.every(({ amount }) => amount.minor !== 0)).toBe(true)
      }),
    )
  })

  it.each<[LedgerKind, LedgerKind]>([
    ['invoice', 'void'],
    ['hold', 'release'],
    ['grant', 'lapse'],
    ['dispute_lost', 'dispute_returned'],
  ])('of %s is undone by %s', (kind, reverse) => {
    fc.assert(
      fc.property(anyFactsOf(kind), (facts) => {
        expect(shown(entriesOf(reverse, facts))).toEqual(negated(entriesOf(kind, facts)))
      }),
    )
  })

  it.each<{ [Kind in LedgerKind]: [Kind, LedgerFacts[Kind], Partial<Record<LedgerAccount, number>>] }[LedgerKind]>([
    ['invoice', { items: [item] }, { receivable: 1296, 'revenue:instance': -1440, discount: 144 }],
    ['hold', { cash: usd(300), promo: usd(96) }, { cash: 300, 'held:cash': -300, promo: 96, 'held:promo': -96 }],
    [
      'pay',
      { held: { cash: usd(300), promo: usd(96) }, card: { driver: 'sandbox', amount: usd(900) } },
      { 'held:cash': 300, 'held:promo': 96, 'gateway:sandbox': 900, receivable: -1296 },
    ],
    ['roll', { amount: usd(60) }, { cash: 60, receivable: -60 }],
    ['collect', { driver: 'sandbox', amount: usd(60) }, { 'gateway:sandbox': 60, cash: -60 }],
    ['late_capture', { driver: 'stripe', amount: usd(60) }, { 'gateway:stripe': 60, cash: -60 }],
    [
      'credit_note',
      { items: [item], to: { cash: usd(1000), receivable: usd(290), promo: usd(6) } },
      { receivable: -290, 'revenue:instance': 1440, discount: -144, cash: -1000, promo: -6 },
    ],
    ['grant', { amount: usd(500) }, { promo_cost: 500, promo: -500 }],
    ['card_refund', { driver: 'stripe', amount: usd(60), isHeld: true }, { 'held:cash': 60, 'gateway:stripe': -60 }],
    ['card_refund', { driver: 'stripe', amount: usd(60), isHeld: false }, { cash: 60, 'gateway:stripe': -60 }],
    ['refund_returned', { driver: 'stripe', amount: usd(60) }, { 'gateway:stripe': 60, cash: -60 }],
    ['dispute', { driver: 'stripe', amount: usd(2880) }, { disputed: 2880, 'gateway:stripe': -2880 }],
    ['dispute', { driver: 'stripe', amount: usd(-2880) }, { disputed: -2880, 'gateway:stripe': 2880 }],
    ['dispute_lost', { receivable: usd(2800), cash: usd(80) }, { disputed: -2880, receivable: 2800, cash: 80 }],
    ['dispute_returned', { receivable: usd(0), cash: usd(80) }, { disputed: 80, cash: -80 }],
    ['write_off', { amount: usd(1296) }, { writeoff: 1296, receivable: -1296 }],
    ['adjust', { amount: usd(-25) }, { adjust: -25, cash: 25 }],
  ])('of %s books as the table of the design says', (kind, facts, expected) => {
    expect(shown(entriesOf(kind, facts))).toEqual(expected)
  })

  it('mixes no currencies, wherever they meet', () => {
    const elsewhere = (amount: Money) => ({ ...amount, currency: currencies[1] })
    expect(() => entriesOf('hold', { cash: usd(1), promo: elsewhere(usd(1)) })).toThrow('mix')
    expect(() => entriesOf('invoice', { items: [item, { ...item, gross: elsewhere(item.gross) }] })).toThrow('mix')
  })

  it('of less than nothing, of nothing, and of a credit that goes nowhere is refused', () => {
    expect(() => entriesOf('roll', { amount: usd(-1) })).toThrow('cannot move')
    expect(() => entriesOf('hold', { cash: none, promo: none })).toThrow('Nothing moves')
    const to = { cash: usd(1295), receivable: none, promo: none }
    expect(() => entriesOf('credit_note', { items: [item], to })).toThrow('1296 cannot be credited as 1295')
    expect(() =>
      entriesOf('credit_note', { items: [item], to: { cash: usd(1300), receivable: usd(-4), promo: none } }),
    ).toThrow()
  })
})
