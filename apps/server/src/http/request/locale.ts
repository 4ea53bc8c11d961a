import { defaultLocale, type Locale } from '@atoll/contract/wire'

const byLanguage: Record<string, Locale> = { en: 'en-US', zh: 'zh-CN' }

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
    .filter(({ language, quality }) => language in byLanguage && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return byLanguage[wanted[0]?.language ?? ''] ?? defaultLocale
}
