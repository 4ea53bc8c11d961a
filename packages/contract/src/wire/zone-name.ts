import type { Locale } from './constants.ts'

/**
 * The name of a time zone, given by its IANA name, at a moment: in English its usual abbreviation (`CET`, `PST`), else
 * the difference from UTC (`UTC+5:30`), which is all that Chinese uses.
 */
export function zoneName(at: Date, locale: Locale, zone: string): string {
  const names = locale === 'zh-CN' ? [] : ['en-US', 'en-GB'].map((language) => nameIn(language, at, zone, 'short'))
  const known = names.find((name) => /^[A-Z]{2,5}$/.test(name))
  return known ?? nameIn('en-US', at, zone, 'shortOffset').replace(/^GMT(\+0$)?/, 'UTC')
}

function nameIn(language: string, at: Date, zone: string, timeZoneName: 'short' | 'shortOffset'): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}
