import { divideHalfEven } from './half-even.ts'

export const currencies = ['usd', 'cny'] as const
export type Currency = (typeof currencies)[number]

/** An amount of one currency in its minor units (cents, fen): a whole number of at most 10^12 either way. */
export interface Money {
  readonly minor: number
  readonly currency: Currency
}

export const mostMinor = 1_000_000_000_000

/** Throws for what is no whole number within the bounds, so that no figure is ever rounded unseen. */
export function money(minor: number | bigint, currency: Currency): Money {
  const whole = Number(minor)
  if (!Number.isSafeInteger(whole) || Math.abs(whole) > mostMinor)
    throw new RangeError(`${minor} is no amount of ${currency} in minor units.`)
  // Never -0, which JSON and `Object.is` distinguish from 0.
  return { minor: whole + 0, currency }
}

export function addMoney(a: Money, b: Money): Money {
  return money(a.minor + b.minor, sameCurrency(a, b))
}

export function subtractMoney(a: Money, b: Money): Money {
  return money(a.minor - b.minor, sameCurrency(a, b))
}

/** `count` times an amount; a whole number. */
export function multiplyMoney(a: Money, count: number): Money {
  return money(BigInt(a.minor) * BigInt(count), a.currency)
}

/** The sum of any number of amounts, all of `currency`. */
export function sumMoney(amounts: readonly Money[], currency: Currency): Money {
  return amounts.reduce(addMoney, money(0, currency))
}

/** Negative, zero or positive, as a sorting function wants it. */
export function compareMoney(a: Money, b: Money): number {
  sameCurrency(a, b)
  return a.minor - b.minor
}

export function smallerMoney(a: Money, b: Money): Money {
  return compareMoney(a, b) <= 0 ? a : b
}

/** `percent` hundredths of an amount, rounded half-even once. */
export function percentOfMoney(a: Money, percent: number): Money {
  return money(divideHalfEven(BigInt(a.minor) * BigInt(percent), 100n), a.currency)
}

/** The currency that both have. Throws when they differ: there is no rate between currencies. */
function sameCurrency(a: Money, b: Money): Currency {
  if (a.currency !== b.currency) throw new TypeError(`Cannot mix ${a.currency} and ${b.currency}.`)
  return a.currency
}
