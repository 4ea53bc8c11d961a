import { type Currency, type Money, money } from './money.ts'

/** Decimals of a major unit: 100 cents are a dollar, 100 fen a yuan. */
const minorDecimals = 2

/**
 * The whole number of 10^-`decimals` units that a plain decimal text names: `0.02` with 8 decimals is 2000000.
 * Undefined for what is no such text or has more decimals: nothing is rounded in reading.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const parts = /^(-?)(\d{1,16})(?:\.(\d+))?$/.exec(text)
  if (!parts) return undefined
  const [, sign, whole = '', fraction = ''] = parts
  if (fraction.length > decimals) return undefined
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -value : value
}

/** `14.4`, `14.40` and `-3` in major units; undefined for what is no amount. */
export function parseMajorUnits(text: string, currency: Currency): Money | undefined {
  const minor = parseDecimal(text, minorDecimals)
  if (minor === undefined) return undefined
  try {
    return money(minor, currency)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** `14.40`, `-0.05`: major units with two decimals, without a symbol and without grouping. */
export function formatMajorUnits({ minor }: Money): string {
  return formatDecimal(BigInt(minor), minorDecimals, minorDecimals)
}

/**
 * A whole number of 10^-`decimals` units as decimal text, with at least `least` decimals and no needless zeros after.
 */
export function formatDecimal(value: bigint, decimals: number, least = 0): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  const needed = Math.max(least, fraction.replace(/0+$/, '').length)
  return `${value < 0n ? '-' : ''}${whole}${needed > 0 ? `.${fraction.slice(0, needed)}` : ''}`
}
