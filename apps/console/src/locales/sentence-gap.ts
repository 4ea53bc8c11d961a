import type { Locale } from '@atoll/contract/wire'

/** The gap between two sentences of a paragraph: a space, and in Chinese nothing, as its full stop brings its own. */
export function sentenceGap(locale: Locale): string {
  return locale === 'zh-CN' ? '' : ' '
}
