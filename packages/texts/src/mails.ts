/** The texts of mails. In a text of several paragraphs an empty line stands between them. */
import type { Locale } from '@atoll/contract/wire'
import { type Forms, fillText, inEachLocale, type TextParams } from './fill-text.ts'
import alertKinds from './tables/alert-kinds.gen.ts'
import mails from './tables/mails.gen.ts'

export const mailTexts: Record<Locale, Forms<(typeof mails)['en-US']>> = mails

/** By the kind of an alert; the console shows the same file's names and rules. */
export const alertKindTexts: Record<Locale, Forms<(typeof alertKinds)['en-US']['alertKinds']>> = inEachLocale(
  (locale) => alertKinds[locale].alertKinds,
)

/** The paragraphs of `text` with `{name}`s filled from `params`, without those that are empty then. */
export function fillParagraphs(text: string, params: TextParams): string[] {
  return text
    .split('\n\n')
    .map((paragraph) => fillText(paragraph, params))
    .filter((paragraph) => paragraph !== '')
}
