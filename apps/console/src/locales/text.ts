import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import type monitoringEn from '../clusters/monitoring/texts/en-US.json'
import type beyondHomeEn from './beyond-home/en-US.ts'
import type en from './en-US.ts'
import { language } from './language.ts'
import type pagesEn from './pages/en-US.ts'

export type TextKey =
  | TextKeyOf<typeof en>
  | TextKeyOf<typeof pagesEn>
  | TextKeyOf<typeof beyondHomeEn>
  | TextKeyOf<typeof monitoringEn>
export type Translate = TranslateWith<TextKey>

export const { useText, useLocale, text } = createTexts<TextKey>(language)
