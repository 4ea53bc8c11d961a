import { defaultLocale, type Locale, locales } from '@atoll/contract/wire'

/** The first supported locale among `tags` by its language; the default without one. */
export function matchLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const match = locales.find((locale) => tag.slice(0, 2).toLowerCase() === locale.slice(0, 2))
    if (match) return match
  }
  return defaultLocale
}
