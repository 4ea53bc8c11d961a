import type { Locale } from '@atoll/contract/wire'

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/**
 * A figure with at most `digits` decimals, grouped by thousands. Below a thousand both languages write it alike, and
 * without `Intl`, whose first use takes a slow processor a twentieth of a second of the first page.
 */
export function formatFigure(value: number, digits: number, locale: Locale): string {
  const rounded = Number(value.toFixed(digits))
  return Math.abs(rounded) < 1000 ? String(rounded) : new Intl.NumberFormat(locale).format(rounded)
}

/**
 * Bytes in the largest unit that keeps the figure at 1 or more, three digits: `9.2 GB`, which are 9.2 × 10⁹ bytes, as
 * in plans and bills.
 */
export function formatBytes(bytes: number, locale: Locale): string {
  return formatIn(1000, bytes, locale)
}

/** Memory and disk of an instance, in powers of 1024 as both are sold. */
export function formatHardware(bytes: number, locale: Locale): string {
  return formatIn(1024, bytes, locale)
}

function formatIn(base: number, bytes: number, locale: Locale): string {
  let value = Math.max(0, bytes)
  let unit = 0
  // 999.5 and more would be rounded to four digits.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= base
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1
  return `${formatFigure(value, digits, locale)} ${units[unit]}`
}

/** MiB, as hardware is described in, as `8 GB`. */
export function formatMiB(mebibytes: number, locale: Locale): string {
  return formatHardware(mebibytes * 1024 * 1024, locale)
}

/** A share 0..1 as `23%`. */
export function formatPercent(share: number, locale: Locale): string {
  return `${formatFigure(share * 100, 0, locale)}%`
}

/** The locale for dates: days before months and 24 hours, as on the boards, which is British English. */
function dateLocale(locale: Locale): string {
  return locale === 'en-US' ? 'en-GB' : locale
}

/** A format of dates as the boards write them; where many dates are written, it is made once. */
export function dateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): (at: number | Date) => string {
  const format = new Intl.DateTimeFormat(dateLocale(locale), options)
  // British English has `Sept`, the only month of four letters.
  return (at) => spaceHan(format.format(at).replace(/\bSept\b/, 'Sep'))
}

/** A date as the boards write it, `18 Sep 2026`. `at`: ms since the epoch. */
export function writeDate(at: number | Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  return dateFormat(locale, options)(at)
}

/**
 * Chinese as it is set here: a space between Han and digits, which `Intl` leaves out (`3 月 16 日`); other text as it
 * is.
 */
export function spaceHan(text: string): string {
  return text.replace(/(?<=\p{Script=Han})(?=\d)|(?<=\d)(?=\p{Script=Han})/gu, ' ')
}
