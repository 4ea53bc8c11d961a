import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import type billingEn from '../../billing/texts/en-US.json'
import type monitoringEn from '../../clusters/monitoring/texts/en-US.json'
import type en from '../../locales/en-US.ts'
import type pagesEn from '../../locales/pages/en-US.ts'
import { language } from './language.ts'

export type TextKey =
  | TextKeyOf<typeof en>
  | TextKeyOf<typeof pagesEn>
  | TextKeyOf<typeof monitoringEn>
  | TextKeyOf<typeof billingEn>
export type Translate = TranslateWith<TextKey>

export const { useText, useLocale, text } = createTexts<TextKey>(language)
