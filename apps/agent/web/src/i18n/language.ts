import { personalServerTexts } from '@atoll/texts/personal-server'
import { createLanguage } from '@atoll/ui/i18n'

export const language = createLanguage({
  storageKey: 'atoll_server_locale',
  loaders: personalServerTexts,
})

export const { current: currentLocale, start: startLanguage, choose: chooseLocale } = language
