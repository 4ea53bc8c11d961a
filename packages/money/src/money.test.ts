import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideHalfEven } from './half-even.ts'
import { anyPrice } from './money.fixture.ts'
import { addMoney, compareMoney, money, mostMinor, percentOfMoney, subtractMoney, sumMoney } from './money.ts'
import { formatMajorUnits, parseMajorUnits } from './money-text.ts'
import { formatRate, parseRate, roundCharge } from './rates.ts'

describe('money', () => {
  test('of two currencies is never mixed', () => {
    const [dollars, yuan] = [money(100, 'usd'), money(100, 'cny')]
    for (const mix of [addMoney, subtractMoney, compareMoney]) expect(() => mix(dollars, yuan)).toThrow('usd and cny')
    expect(() => sumMoney([yuan], 'usd')).toThrow('usd and cny')
  })

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, mostMinor + 1, -mostMinor - 1, 2n ** 64n])(
    '%s is no amount',
    (minor) => expect(() => money(minor, 'usd')).toThrow('is no amount'),
  )

  test('that would pass the bound throws instead of losing digits', () => {
    expect(() => addMoney(money(mostMinor, 'usd'), money(1, 'usd'))).toThrow('is no amount')
  })
})

describe('half-even', () => {
  test.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [26n, 10n, 3n],
    [-5n, 10n, 0n],
    [-15n, 10n, -2n],
    [-26n, 10n, -3n],
  ])('%s ÷ %s is %s', (dividend, divisor, quotient) => expect(divideHalfEven(dividend, divisor)).toBe(quotient))

  test('is the nearest whole number, the even one of two, the same way below zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (n, d) => {
          const quotient = divideHalfEven(n, d)
          const twice = 2n * (n - quotient * d)
          expect(twice <= d && twice >= -d).toBe(true)
          if (twice === d || twice === -d) expect(quotient % 2n).toBe(0n)
          expect(divideHalfEven(-n, d)).toBe(-quotient)
        },
      ),
    )
  })

  test('rounds a percentage once', () => {
    expect(percentOfMoney(money(1445, 'usd'), 10).minor).toBe(144)
    expect(percentOfMoney(money(1455, 'usd'), 10).minor).toBe(146)
  })
})

describe('text', () => {
  test.each([
    ['14.40', 1440],
    ['14.4', 1440],
    ['3', 300],
    ['-0.05', -5],
    ['0', 0],
  ])('%s is an amount', (text, minor) => expect(parseMajorUnits(text, 'usd')).toEqual(money(minor, 'usd')))

  test.each(['', '1.234', '1,50', '1e3', ' 1', '+1', '.5', '1.', '99999999999', '$1', '٣'])(
    'the text “%s” is no amount',
    (text) => expect(parseMajorUnits(text, 'usd')).toBeUndefined(),
  )

  test('of an amount reads back as that amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: -mostMinor, max: mostMinor }), (minor) => {
        expect(parseMajorUnits(formatMajorUnits(money(minor, 'cny')), 'cny')).toEqual(money(minor, 'cny'))
      }),
    )
  })
})

describe('a rate', () => {
  test('is written in major units a unit', () => {
    expect(parseRate('0.02', 'usd')).toEqual({ micros: 2_000_000n, currency: 'usd' })
    expect(parseRate('0.00000001', 'usd')?.micros).toBe(1n)
    for (const text of ['-0.02', '0.000000001', 'free']) expect(parseRate(text, 'usd')).toBeUndefined()
    expect(
      ['0.02', '0.0035', '1'].map((text) =>
        formatRate({ micros: parseRate(text, 'usd')?.micros ?? 0n, currency: 'usd' }),
      ),
    ).toEqual(['0.02', '0.0035', '1.00'])
  })

  test('times a quantity is exact, and rounded half-even once', () => {
    const micros = 2_000_000n
    // 12.25 GB at two cents are 24.5 cents; 12.75 GB are 25.5.
    expect(roundCharge(micros * 12_250_000n, 'usd').minor).toBe(24)
    expect(roundCharge(micros * 12_750_000n, 'usd').minor).toBe(26)
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { maxLength: 20 }), (parts) => {
        const whole = parts.reduce((sum, part) => sum + part, 0n)
        const summed = parts.reduce((sum, part) => sum + micros * part, 0n)
        expect(roundCharge(summed, 'usd')).toEqual(roundCharge(micros * whole, 'usd'))
      }),
    )
  })
})

test('an amount is never minus zero', () => {
  fc.assert(
    fc.property(anyPrice(), (price) => {
      expect(Object.is(subtractMoney(price, price).minor, 0)).toBe(true)
    }),
  )
  expect(Object.is(money(-0, 'usd').minor, 0)).toBe(true)
})
