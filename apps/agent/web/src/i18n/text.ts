import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import type en from '../locales/en-US.json'
import { language } from './language.ts'

export type TextKey = TextKeyOf<typeof en>
export type Translate = TranslateWith<TextKey>

export const { useText, useLocale } = createTexts<TextKey>(language)
