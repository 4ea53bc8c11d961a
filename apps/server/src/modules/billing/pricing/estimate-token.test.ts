import { money, periodAt } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import type { BasketFacts, Means } from './basket.ts'
import {
  basketText,
  estimateInstant,
  estimateLifetimeMs,
  quoteOf,
  readQuote,
  signQuote,
  stillHolds,
} from './estimate-token.ts'
import { priceBasket } from './price-basket.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const at = estimateInstant(new Date('2027-01-31T12:00:00.750Z'))
const asked = { userid: 'did:key:z6MkLena', basket: basketText({ kind: 'cluster', offering: 'bay-4', quantity: 1 }) }
const usd = (minor: number) => money(minor, 'usd')

interface Change {
  price?: number
  means?: Partial<Means>
  percentOff?: number
}

function quoteFor({ price = 1440, means = {}, percentOff }: Change = {}, when = at) {
  const facts: BasketFacts = {
    currency: 'usd',
    items: [{ kind: 'instance', key: 'master', price: usd(price), period: periodAt(when, 0, 'UTC') }],
    coupons: percentOff === undefined ? [] : [{ code: 'REEF10', percentOff, appliesTo: ['instance'] }],
    means: { promo: usd(0), cash: usd(-300), mayRoll: true, ...means },
  }
  return quoteOf(asked, [`price_${price}`], priceBasket(facts, when), when)
}
const token = signQuote(sealer, quoteFor())
const later = (ms: number) => new Date(at.getTime() + ms)

describe('the token of an estimate', () => {
  test('says what was shown, at a whole second, for 15 minutes', () => {
    expect(at.toISOString()).toBe('2027-01-31T12:00:00.000Z')
    const quote = readQuote(sealer, token, asked, later(estimateLifetimeMs))
    expect(quote).toEqual(quoteFor())
    expect(quote).toMatchObject({ total: 1440, balance: 300, card: 1140, coupon: null })
    expect(readQuote(sealer, token, asked, later(estimateLifetimeMs + 1))).toBeUndefined()
    expect(readQuote(sealer, token, asked, later(-1))).toBeUndefined()
  })

  test('is nobody else’s, for nothing else and of no other deployment', () => {
    expect(readQuote(sealer, token, { ...asked, userid: 'did:key:z6MkOther' }, at)).toBeUndefined()
    const larger = basketText({ kind: 'cluster', offering: 'bay-8', quantity: 1 })
    expect(readQuote(sealer, token, { ...asked, basket: larger }, at)).toBeUndefined()
    expect(readQuote(createSealer(Buffer.alloc(32, 8)), token, asked, at)).toBeUndefined()
  })

  test('that was altered anywhere, cut or made up is none', () => {
    const characters = [...'AZaz09-_.=']
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...characters), (place, character) => {
        const altered = token.slice(0, place) + character + token.slice(place + 1)
        if (altered !== token) expect(readQuote(sealer, altered, asked, at)).toBeUndefined()
        expect(readQuote(sealer, token.slice(0, place), asked, at)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readQuote(sealer, text, asked, at)).toBeUndefined()
      }),
    )
    expect(readQuote(sealer, `${token}.`, asked, at)).toBeUndefined()
  })

  test('of a version that wrote other fields is none', () => {
    const { rolled: _, ...older } = quoteFor()
    expect(readQuote(sealer, signQuote(sealer, older as ReturnType<typeof quoteFor>), asked, at)).toBeUndefined()
  })

  test('is of the same basket in whatever order its fields come', () => {
    expect(basketText({ quantity: 1, offering: 'bay-4', coupon: undefined, kind: 'cluster' })).toBe(asked.basket)
  })
})

test.each<[string, boolean, Change]>([
  ['nothing', true, {}],
  ['more balance, so less from the card,', true, { means: { cash: usd(-500) } }],
  ['less balance, so more from the card,', false, { means: { cash: usd(-100) } }],
  ['promotional credit that came', true, { means: { promo: usd(200) } }],
  ['a dearer price', false, { price: 1990 }],
  ['a cheaper price', false, { price: 990 }],
  ['another coupon', false, { percentOff: 10 }],
])('after a change of %s, whether the shown price still holds is %s', (_, holds, change) => {
  expect(stillHolds(quoteFor(), quoteFor(change))).toBe(holds)
})

test('what is sold under other terms for the same amount is not what was shown', () => {
  expect(stillHolds(quoteFor(), { ...quoteFor(), prices: ['price_other'] })).toBe(false)
})
