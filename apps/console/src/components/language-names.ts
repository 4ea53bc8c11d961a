import type { Locale } from '@atoll/contract'

/** A language is named in itself, whatever the language of the page. */
export const languageNames: { locale: Locale; name: string }[] = [
  { locale: 'en-US', name: 'English' },
  { locale: 'zh-CN', name: '中文' },
]
