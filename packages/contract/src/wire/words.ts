import type { Locale } from './constants.ts'

/** A text in each language. */
export type Words = Record<Locale, string>

/** Without effects, so that a page carries no table of words that it does not use. */
/* @__NO_SIDE_EFFECTS__ */
export function words(en: string, zh: string): Words {
  return { 'en-US': en, 'zh-CN': zh }
}
