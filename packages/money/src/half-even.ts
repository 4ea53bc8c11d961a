/**
 * `dividend ÷ divisor`, rounded to the nearest whole number; exactly between two, to the even one. The one rounding
 * rule of all money. Throws for a divisor that is not positive.
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw new RangeError(`Cannot divide money by ${divisor}.`)
  const towardsZero = dividend / divisor
  const rest = dividend % divisor
  const twice = 2n * (rest < 0n ? -rest : rest)
  const up = twice > divisor || (twice === divisor && towardsZero % 2n !== 0n)
  if (!up) return towardsZero
  return dividend < 0n ? towardsZero - 1n : towardsZero + 1n
}
