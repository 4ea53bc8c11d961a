import type { Locale } from '@atoll/contract/wire'
import { zoneName } from '@atoll/contract/zone-name'

/**
 * A deadline as mails write it: in the reader's zone, an IANA name, and in UTC, `10 Dec 2026, 14:00 CET (13:00 UTC)`,
 * `2026年12月10日 21:00 UTC+8（13:00 UTC）`; the day in UTC too where it is another.
 */
export function deadlineText(at: Date, timeZone: string, locale: Locale): string {
  const name = zoneName(at, locale, timeZone)
  const there = `${momentText(at, timeZone, locale)} ${name}`
  if (name === 'UTC') return there
  const day = dayText(at, 'UTC', locale)
  const utc = day === dayText(at, timeZone, locale) ? clockText(at, 'UTC') : momentText(at, 'UTC', locale)
  return locale === 'zh-CN' ? `${there}（${utc} UTC）` : `${there} (${utc} UTC)`
}

function momentText(at: Date, timeZone: string, locale: Locale): string {
  return `${dayText(at, timeZone, locale)}${locale === 'zh-CN' ? ' ' : ', '}${clockText(at, timeZone)}`
}

function dayText(at: Date, timeZone: string, locale: Locale): string {
  const format = { day: 'numeric', month: locale === 'zh-CN' ? 'long' : 'short', year: 'numeric', timeZone } as const
  // British English has `Sept`, the only month of four letters.
  const text = new Intl.DateTimeFormat(locale === 'zh-CN' ? 'zh-CN' : 'en-GB', format).format(at)
  return text.replace(/\bSept\b/, 'Sep')
}

function clockText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(at)
}
