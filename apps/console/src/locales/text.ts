import { lookUp } from '@atoll/contract/wire'
import type { ConsoleTexts } from '@atoll/texts/console'
import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import { language } from './language.ts'

export type TextKey = TextKeyOf<ConsoleTexts>
export type Translate = TranslateWith<TextKey>

/**
 * The text that `table` has for a word of an answer. A word that is not known yet is its own text: it is read as a key
 * that no language has (packages/ui, create-language).
 */
export function textOf<Word extends string>(table: Readonly<Record<Word, TextKey>>, word: Word): TextKey {
  return lookUp(table, word, word as string as TextKey)
}

export const { useText, useLocale, text } = createTexts<TextKey>(language)
