/**
 * How the amount of an invoice's line came to be, in words with its figures: one sentence a step. Made of what was
 * written down when it was issued (`explain`, shares of clusters), so it never changes; page, file, CSV and mail show
 * the same. Quantities are shown with up to three decimals; amounts are rounded only where `explain` rounds them.
 */
import { currencySymbols, type Locale } from '@atoll/contract/wire'
import { type Currency, exactUnits, formatDecimal, parseRate, type Zone } from '@atoll/money'
import type { DiscountExplain, Explain, PrepaidExplain, UsageExplain } from '../../pricing/explain.ts'
import type { CopiedLine } from '../../records/documents/document-copies.ts'
import { amountText, periodText } from './file-figures.ts'
import { formulaTexts } from './formula-texts.ts'

export interface ExplainedLine {
  explain: Explain
  shares: CopiedLine['shares']
  amount_minor: number
  discount_minor: number
}

interface Words {
  currency: Currency
  zone: Zone
  locale: Locale
}

/** The sentences under a line, the calculation of its amount first. */
export function lineFormula(line: ExplainedLine, words: Words): string[] {
  const { explain, discount_minor } = line
  const t = formulaTexts[words.locale]
  return [
    ...(explain.rule === 'prepaid' ? [prepaidFormula(explain, words)] : usageFormula(explain, line, words)),
    ...(line.shares.length > 0
      ? [
          t.byCluster(
            line.shares.map(({ name, used }) => t.share(name, quantity(BigInt(used), explain, words))).join(t.list),
          ),
        ]
      : []),
    ...(explain.discount && discount_minor > 0 ? [discountFormula(explain.discount, discount_minor, words)] : []),
  ]
}

function prepaidFormula(explain: PrepaidExplain, { currency, locale }: Words): string {
  const t = formulaTexts[locale]
  const { price, instead, periodSeconds, fromSecond, rounded } = explain
  const amount = (minor: number) => amountText(minor, currency)
  const difference = instead === undefined ? amount(price) : t.instead(amount(price), amount(instead))
  const monthly = instead !== undefined && instead > price ? t.notBelow(difference, amount(0)) : difference
  const formula =
    fromSecond === 0
      ? t.month(monthly)
      : t.part(monthly, lengthText(periodSeconds - fromSecond, locale), lengthText(periodSeconds, locale))
  return `${formula} = ${amount(rounded)}`
}

function usageFormula(explain: UsageExplain, line: ExplainedLine, words: Words): string[] {
  const { currency, zone, locale } = words
  const t = formulaTexts[locale]
  const amount = (minor: number) => amountText(minor, currency)
  const whole = BigInt(explain.periodSeconds)
  const isOne = explain.parts.length === 1
  const parts = explain.parts.map((part) => {
    const above = BigInt(part.above)
    const text = figuresOf(part, explain, words)
    if (above === 0n) return t.within(text.used, quantity(includedOf(part, explain), explain, words))
    const sum = t.above(text.used, text.included, text.above)
    if (part.rate === null) return t.free(sum)
    const micros = parseRate(part.rate, currency)?.micros ?? 0n
    const cost = isOne ? amount(explain.rounded) : exactText(above * micros, whole, currency)
    return `${sum} × ${currencySymbols[currency]}${part.rate} = ${cost}`
  })
  const [numerator = '0', denominator = '1'] = explain.exact.split('/')
  const less = [
    ...(explain.charged ? [t.charged(amount(Math.min(explain.charged, explain.rounded)))] : []),
    ...(explain.waived ? [t.waived(amount(explain.waived))] : []),
  ]
  return [
    ...(explain.correction ? [t.correction] : []),
    ...(isOne
      ? parts
      : parts.map((text, index) => {
          const { start = '', seconds = 0 } = explain.parts[index] ?? {}
          const [from, to] = [new Date(start), new Date(Date.parse(start) + seconds * 1000)]
          return t.inPart(periodText(from, to, zone, locale), text)
        })),
    ...(isOne
      ? []
      : [t.rounded(exactText(BigInt(numerator), BigInt(denominator) / exactUnits, currency), amount(explain.rounded))]),
    ...(less.length > 0 ? [`${[amount(explain.rounded), ...less].join(' − ')} = ${amount(line.amount_minor)}`] : []),
  ]
}

function figuresOf(part: UsageExplain['parts'][number], explain: UsageExplain, words: Words) {
  const [used, above] = [BigInt(part.used), BigInt(part.above) / BigInt(explain.periodSeconds)]
  const text = (value: bigint) => quantity(value, explain, words)
  return { used: text(used), included: text(used - above), above: text(above) }
}

/** The figures of the calculation of usage of one part that is charged; undefined: its sentences say it. */
export function sumOfUsage(
  explain: Explain,
  words: Words,
): { used: string; included: string; above: string; rate: string; amount: string } | undefined {
  const [part, ...more] = explain.rule === 'usage' ? explain.parts : []
  if (explain.rule !== 'usage' || !part || more.length > 0 || part.rate === null || part.above === '0') return undefined
  return {
    ...figuresOf(part, explain, words),
    rate: `${currencySymbols[words.currency]}${part.rate}`,
    amount: amountText(explain.rounded, words.currency),
  }
}

/** The quota of a part, 10^-6 units: of a stored product, in proportion to the part's time. */
function includedOf(
  { quota, seconds }: UsageExplain['parts'][number],
  { measure, periodSeconds }: UsageExplain,
): bigint {
  return measure === 'flow' ? BigInt(quota) : (BigInt(quota) * BigInt(seconds)) / BigInt(periodSeconds)
}

function discountFormula(explain: DiscountExplain, here: number, { currency, locale }: Words): string {
  const t = formulaTexts[locale].coupon
  const { code, percentOff, amountOff = 0, before = 0, of, total } = explain
  const amount = (minor: number) => amountText(minor, currency)
  return [
    percentOff === undefined
      ? t.amount(code, amount(amountOff), amount(of), amount(total))
      : t.percent(code, percentOff, amount(of), amount(total)),
    ...(before > 0 ? [t.before(amount(before))] : []),
    ...(here === total ? [] : [t.ofThat(amount(here))]),
  ].join(formulaTexts[locale].separator)
}

/** 10^-6 units: `1,150 GB`, with up to three decimals, and with more where it has nothing before them. */
function quantity(value: bigint, explain: Explain, { locale }: Words): string {
  const isStock = explain.rule === 'usage' && explain.measure === 'stock'
  const shown = value < 1000n ? value : ((value + 500n) / 1000n) * 1000n
  const [units = '', decimals] = formatDecimal(shown, 6).split('.')
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${grouped}${decimals === undefined ? '' : `.${decimals}`} ${isStock ? formulaTexts[locale].gbMonths : 'GB'}`
}

/** 10^-12 minor units times `whole`, in major units with up to six decimals. */
function exactText(exact: bigint, whole: bigint, currency: Currency): string {
  const micros = exact / (whole * 100_000_000n)
  return `${currencySymbols[currency]}${formatDecimal(micros, 6, 2)}`
}

/** A length of time without what is nought of it. */
function lengthText(seconds: number, locale: Locale): string {
  const { units } = formulaTexts[locale]
  const lengths = [
    [Math.floor(seconds / 86_400), units.days],
    [Math.floor((seconds % 86_400) / 3600), units.hours],
    [Math.floor((seconds % 3600) / 60), units.minutes],
    [seconds % 60, units.seconds],
  ] as const
  const shown = lengths.filter(([length]) => length > 0)
  return shown.length === 0 ? units.seconds(0) : shown.map(([length, unit]) => unit(length)).join(' ')
}
