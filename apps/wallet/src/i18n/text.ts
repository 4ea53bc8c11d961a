import type { WalletTexts } from '@atoll/texts/wallet'
import { createTexts, type TextKeyOf, type TranslateWith } from '@atoll/ui/i18n'
import { language } from './language.ts'

export type TextKey = TextKeyOf<WalletTexts>
export type Translate = TranslateWith<TextKey>

export const { useText, useLocale } = createTexts<TextKey>(language)
