import { createLanguage } from '@atoll/ui/i18n'
import type en from '../locales/en-US.json'

export const language = createLanguage<typeof en>({
  storageKey: 'atoll_wallet_locale',
  loaders: {
    'en-US': () => import('../locales/en-US.json'),
    'zh-CN': () => import('../locales/zh-CN.json'),
  },
})

export const { current: currentLocale, start: startLanguage, choose: chooseLocale } = language
