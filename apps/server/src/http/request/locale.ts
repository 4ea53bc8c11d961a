import { defaultLocale, type Locale, locales } from '@atoll/contract/wire'

const byLanguage = new Map<string, Locale>(locales.map((locale) => [locale.split('-')[0] ?? '', locale]))

/**
 * The locale a caller prefers, from the text of its Accept-Language header; the default when it names no supported one.
 */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='))
      return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ language, quality }) => byLanguage.has(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return byLanguage.get(wanted[0]?.language ?? '') ?? defaultLocale
}
