/** The texts of mails. In a text of several paragraphs an empty line stands between them. */
import type { Locale } from '@atoll/contract/wire'
import english from '../en-US/mail/all.ts'
import englishAlerts from '../en-US/shared/alert-kinds.json' with { type: 'json' }
import chinese from '../zh-CN/mail/all.ts'
import chineseAlerts from '../zh-CN/shared/alert-kinds.json' with { type: 'json' }
import { type Forms, fillText, type TextParams } from './fill-text.ts'

export const mailTexts: Record<Locale, Forms<typeof english>> = { 'en-US': english, 'zh-CN': chinese }

/** By the kind of an alert; the console shows the same file's names and rules. */
export const alertKindTexts: Record<Locale, Forms<typeof englishAlerts.alertKinds>> = {
  'en-US': englishAlerts.alertKinds,
  'zh-CN': chineseAlerts.alertKinds,
}

/** The paragraphs of `text` with `{name}`s filled from `params`, without those that are empty then. */
export function fillParagraphs(text: string, params: TextParams): string[] {
  return text
    .split('\n\n')
    .map((paragraph) => fillText(paragraph, params))
    .filter((paragraph) => paragraph !== '')
}
