/** Amounts and times as files print them: each digit known, whatever the machine's own language data says. */
import { currencySymbols, type Locale } from '@atoll/contract/wire'
import { type Currency, dayInZone, formatMajorUnits, money, startOfDay, type Zone } from '@atoll/money'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/** `$1,204.50`, `−¥9.90`: the minus is U+2212. */
export function amountText(minor: number, currency: Currency): string {
  const figure = formatMajorUnits(money(Math.abs(minor), currency)).replace(/\B(?=(\d{3})+\.)/g, ',')
  return `${minor < 0 ? '−' : ''}${currencySymbols[currency]}${figure}`
}

/** `4 Sep 2026`, `2026年9月4日`, in the account's zone. */
export function dayText(at: Date, zone: Zone, locale: Locale): string {
  const { year, ...day } = dayParts(at, zone)
  return locale === 'zh-CN' ? `${year}年${dayOfYear(day, locale)}` : `${dayOfYear(day, locale)} ${year}`
}

/** `4 Sep 2026, 10:02`, `2026年9月4日 10:02`. */
export function timeText(at: Date, zone: Zone, locale: Locale): string {
  return `${dayText(at, zone, locale)}${locale === 'zh-CN' ? ' ' : ', '}${clockText(at, zone)}`
}

/**
 * `4 Sep – 4 Oct 2026`, `2026年9月4日 – 10月4日`: a year that both have is said once. With times of day where they are
 * not the same at both ends.
 */
export function periodText(start: Date, end: Date, zone: Zone, locale: Locale): string {
  if (wholeDays(start, end) === undefined) return `${timeText(start, zone, locale)} – ${timeText(end, zone, locale)}`
  const [from, to] = [dayParts(start, zone), dayParts(end, zone)]
  if (from.year !== to.year) return `${dayText(start, zone, locale)} – ${dayText(end, zone, locale)}`
  return locale === 'zh-CN'
    ? `${dayText(start, zone, locale)} – ${dayOfYear(to, locale)}`
    : `${dayOfYear(from, locale)} – ${dayText(end, zone, locale)}`
}

/** The days from start to end; undefined where they are not whole. */
export function wholeDays(start: Date, end: Date): number | undefined {
  const days = (end.getTime() - start.getTime()) / dayMs
  return Number.isInteger(days) ? days : undefined
}

function dayParts(at: Date, zone: Zone): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = dayInZone(at, zone).split('-').map(Number)
  return { year, month, day }
}

function dayOfYear({ month, day }: { month: number; day: number }, locale: Locale): string {
  return locale === 'zh-CN' ? `${month}月${day}日` : `${day} ${months[month - 1]}`
}

function clockText(at: Date, zone: Zone): string {
  return new Date(at.getTime() - startOfDay(at, zone).getTime()).toISOString().slice(11, 16)
}
