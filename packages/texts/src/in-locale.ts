import type { Locale } from '@atoll/contract/wire'

/** The words of one language from a table of both. */
export function inLocale(table: Readonly<Record<string, Record<Locale, string>>>, locale: Locale) {
  return Object.fromEntries(Object.entries(table).map(([key, texts]) => [key, texts[locale]]))
}
