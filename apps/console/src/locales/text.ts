import { lookUp } from '@atoll/contract/wire'
import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import type monitoringEn from '../clusters/monitoring/texts/en-US.json'
import type operatorEn from '../operator/texts/en-US.json'
import type beyondHomeEn from './beyond-home/en-US.ts'
import type en from './en-US.ts'
import { language } from './language.ts'
import type pagesEn from './pages/en-US.ts'

export type TextKey =
  | TextKeyOf<typeof en>
  | TextKeyOf<typeof pagesEn>
  | TextKeyOf<typeof beyondHomeEn>
  | TextKeyOf<typeof monitoringEn>
  | TextKeyOf<typeof operatorEn>
export type Translate = TranslateWith<TextKey>

/**
 * The text that `table` has for a word of an answer. A word that is not known yet is its own text: it is read as a key
 * that no language has (packages/ui, create-language).
 */
export function textOf<Word extends string>(table: Readonly<Record<Word, TextKey>>, word: Word): TextKey {
  return lookUp(table, word, word as string as TextKey)
}

export const { useText, useLocale, text } = createTexts<TextKey>(language)
