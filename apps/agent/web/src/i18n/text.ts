import type { PersonalServerTexts } from '@atoll/texts/personal-server'
import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import { language } from './language.ts'

export type TextKey = TextKeyOf<PersonalServerTexts>
export type Translate = TranslateWith<TextKey>

export const { useText, useLocale } = createTexts<TextKey>(language)
