import { type Currency, costUntil, exactUnits, money, parseRate, roundCharge, subtractMoney } from '@atoll/money'
import { requireThat } from './bad-statement.ts'
import type { PrepaidExplain, StatementItem, UsageExplain } from './statement.ts'

/** The line's price by the rules, from the sale, readings and terms it names: minor units, before the discount. */
export function repriced(item: StatementItem, currency: Currency, what: string): number {
  const { explain, periodStart, periodEnd } = item
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
  return usage(item, explain, currency, what)
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
function usage(item: StatementItem, explain: UsageExplain, currency: Currency, what: string): number {
  const { exact, periodSeconds, parts } = explain
  const whole = BigInt(periodSeconds)
  const allAbove = aboveQuotas(explain, secondsOf(item.periodEnd))
  let sum = 0n
  for (const [index, part] of parts.entries()) {
    const above = allAbove[index] ?? 0n
    requireThat(above === BigInt(part.above), () => `Part ${index + 1} of ${what} is ${above} above its quota.`)
    const rate = part.rate === null ? { micros: 0n } : parseRate(part.rate, currency)
    requireThat(rate !== undefined, () => `Part ${index + 1} of ${what} has no rate that can be read.`)
    sum += above * rate.micros
  }
  requireThat(exact === `${sum}/${exactUnits * whole}`, () => `${what} costs ${sum}/${exactUnits * whole} exactly.`)
  return dueOf({ ...explain, rounded: roundCharge(sum, currency, whole).minor })
}

/**
 * Each part's use above its quota, times the seconds of the period. For traffic, the first quota counts whole and each
 * later one adds its difference for the seconds until `end`; on bills from before that rule, the whole.
 */
function aboveQuotas({ measure, periodSeconds, parts, quotaByTime }: UsageExplain, end: number): bigint[] {
  const whole = BigInt(periodSeconds)
  let included = 0n
  let within = 0n
  return parts.map(({ used: text, quota: written, start, seconds }, index) => {
    const [used, quota] = [BigInt(text) * whole, BigInt(written)]
    if (measure === 'stock') return positive(used - quota * BigInt(seconds))
    const before = parts[index - 1]
    if (before && quotaByTime) included += (quota - BigInt(before.quota)) * BigInt(end - secondsOf(start))
    else included = quota * whole
    const above = quotaByTime ? positive(used - positive(included - within)) : positive(within + used - included)
    within += used - above
    return above
  })
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
