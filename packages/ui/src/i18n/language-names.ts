import { type Locale, locales } from '@atoll/contract/wire'

const names: Record<Locale, string> = { 'en-US': 'English', 'zh-CN': '中文' }

/** The languages to choose from. Each is named in itself, whatever the language of the page. */
export const languageNames: { locale: Locale; name: string }[] = locales.map((locale) => ({
  locale,
  name: names[locale],
}))
