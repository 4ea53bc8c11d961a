import { walletTexts } from '@atoll/texts/wallet'
import { createLanguage } from '@atoll/ui/i18n'

export const language = createLanguage({
  storageKey: 'atoll_wallet_locale',
  loaders: walletTexts,
})

export const { current: currentLocale, start: startLanguage, choose: chooseLocale } = language
