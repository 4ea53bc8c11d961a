import { createLanguage } from '@atoll/ui/i18n'
import type en from '../locales/en-US.json'
import type pagesEn from '../locales/pages/en-US.json'
import { localeKey } from './locale-key.ts'

/** Signing in and choosing an account need a few texts; those of the signed-in pages are fetched with the first of them. */
export const language = createLanguage<typeof en, typeof pagesEn>({
  storageKey: localeKey,
  loaders: {
    'en-US': () => import('../locales/en-US.json'),
    'zh-CN': () => import('../locales/zh-CN.json'),
  },
  laterLoaders: {
    'en-US': () => import('../locales/pages/en-US.json'),
    'zh-CN': () => import('../locales/pages/zh-CN.json'),
  },
})

export const {
  current: currentLocale,
  start: startLanguage,
  fetchAhead: fetchTextsAhead,
  choose: chooseLocale,
  loadLater: loadPageTexts,
} = language
