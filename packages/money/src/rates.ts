import { divideHalfEven } from './half-even.ts'
import { type Currency, type Money, money } from './money.ts'
import { formatDecimal, parseDecimal } from './money-text.ts'

/** A price for a unit that is used: 10^-6 minor units for one unit, such as a GB. */
export interface Rate {
  readonly micros: bigint
  readonly currency: Currency
}

/** A rate is written in major units: `0.02` is two cents. Two decimals of a minor unit and six of a rate. */
const rateDecimals = 8
/** A quantity counts 10^-6 of its unit. */
export const quantityDecimals = 6

/** A rate as the catalogue writes it, in major units with up to eight decimals; undefined for what is none. */
export function parseRate(text: string, currency: Currency): Rate | undefined {
  const micros = parseDecimal(text, rateDecimals)
  return micros === undefined || micros < 0n ? undefined : { micros, currency }
}

/** The rate in major units with at least two decimals: `0.02`, `0.0035`. */
export function formatRate({ micros }: Rate): string {
  return formatDecimal(micros, rateDecimals, 2)
}

/** Parts of a minor unit that an exact charge counts: the micros of a rate times a quantity in 10^-6 units. */
export const exactUnits = 10n ** 12n

/**
 * An exact charge, or a sum of some, in minor units: rounded half-even, once, at the invoice's item. `divisor`: what
 * the charge is still to be divided by, such as the seconds of a period.
 */
export function roundCharge(exact: bigint, currency: Currency, divisor = 1n): Money {
  return money(divideHalfEven(exact, exactUnits * divisor), currency)
}
