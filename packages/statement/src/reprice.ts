import { type Currency, costUntil, exactUnits, money, parseRate, roundCharge, subtractMoney } from '@atoll/money'
import { requireThat } from './bad-statement.ts'
import type { PrepaidExplain, StatementItem, UsageExplain } from './statement.ts'

/** What the line costs by the rules, from what it says was sold, read and agreed: minor units, before the discount. */
export function repriced({ explain, periodStart, periodEnd }: StatementItem, currency: Currency, what: string): number {
  const seconds = secondsOf(periodEnd) - secondsOf(periodStart)
  if (explain.rule === 'prepaid') {
    const charged = explain.periodSeconds - explain.fromSecond
    requireThat(seconds === charged, () => `${what} charges ${charged} seconds of a time that lasts ${seconds}.`)
    return prepaid(explain, currency)
  }
  requireThat(explain.rule === 'usage', () => `${what} is made by a rule that is not known.`)
  const whole = explain.periodSeconds
  requireThat(seconds === whole, () => `${what} charges a period of ${whole} seconds that lasts ${seconds}.`)
  checkParts(explain, { from: secondsOf(periodStart), to: secondsOf(periodEnd) }, what)
  return usage(explain, currency, what)
}

/** Of what was rounded, what this line charges: not what an earlier one did, and not what the cap left out. */
export function dueOf({ rounded, charged = 0, waived = 0 }: UsageExplain): number {
  return rounded - Math.min(charged, rounded) - waived
}

/** Parts follow one another within the period; a plan that began late or ended early has none for the rest. */
function checkParts({ parts }: UsageExplain, { from, to }: { from: number; to: number }, what: string): void {
  let until = from
  for (const [index, { start, seconds }] of parts.entries()) {
    const begins = secondsOf(start)
    requireThat(begins >= until && seconds >= 0, () => `Part ${index + 1} of ${what} does not follow the one before.`)
    until = begins + seconds
  }
  requireThat(until <= to, () => `The parts of ${what} go on after its period.`)
}

function secondsOf(time: string): number {
  const ms = Date.parse(time)
  requireThat(Number.isFinite(ms), () => `${time} is no time.`)
  return Math.floor(ms / 1000)
}

/** The whole period's price less what the part of it before the charge costs, each rounded half-even. */
function prepaid({ price, instead, periodSeconds, fromSecond }: PrepaidExplain, currency: Currency): number {
  const charged = money(instead === undefined ? price : Math.max(price - instead, 0), currency)
  const at = (second: number) => new Date(second * 1000)
  const period = { start: at(0), end: at(periodSeconds) }
  return subtractMoney(costUntil(charged, period, at(periodSeconds)), costUntil(charged, period, at(fromSecond))).minor
}

/** Each part's use above its quota at its rate, summed exactly and rounded once. */
function usage(explain: UsageExplain, currency: Currency, what: string): number {
  const { measure, periodSeconds, parts, exact } = explain
  const whole = BigInt(periodSeconds)
  let within = 0n
  let sum = 0n
  for (const [index, part] of parts.entries()) {
    const [used, quota] = [BigInt(part.used), BigInt(part.quota)]
    let above: bigint
    if (measure === 'stock') {
      above = positive(used * whole - quota * BigInt(part.seconds))
    } else {
      const passed = positive(within + used - quota)
      within += used - passed
      above = passed * whole
    }
    requireThat(above === BigInt(part.above), () => `Part ${index + 1} of ${what} is ${above} above its quota.`)
    const rate = part.rate === null ? { micros: 0n } : parseRate(part.rate, currency)
    requireThat(rate !== undefined, () => `Part ${index + 1} of ${what} has no rate that can be read.`)
    sum += above * rate.micros
  }
  requireThat(exact === `${sum}/${exactUnits * whole}`, () => `${what} costs ${sum}/${exactUnits * whole} exactly.`)
  return dueOf({ ...explain, rounded: roundCharge(sum, currency, whole).minor })
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
