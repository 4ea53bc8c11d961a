import type { Locale } from '@atoll/contract/wire'
import { createLanguage, type TextLoaders } from '@atoll/ui/i18n'
import type billingEn from '../../billing/texts/en-US.json'
import type monitoringEn from '../../clusters/monitoring/texts/en-US.json'
import type en from '../../locales/en-US.ts'
import type pagesEn from '../../locales/pages/en-US.ts'
import { localeKey } from './locale-key.ts'

/**
 * The texts that the early script has asked for, which is the same file that `load` would fetch: one that is there
 * already is given at once, where importing it again would let everything else go first that the browser has to do.
 */
function asked<Texts>(locale: Locale, part: 'always' | 'signedIn', load: () => Promise<Texts>): () => Promise<Texts> {
  return () => {
    const early = globalThis.earlyTexts
    const texts = early?.locale === locale ? early[part] : undefined
    return texts ? (texts as Promise<Texts>).catch(load) : load()
  }
}

/**
 * Signing in and choosing an account need a few texts; those of the signed-in pages are fetched with the first of
 * them.
 */
export const language = createLanguage<typeof en, typeof pagesEn>({
  storageKey: localeKey,
  loaders: {
    'en-US': asked('en-US', 'always', () => import('../../locales/en-US.ts')),
    'zh-CN': asked('zh-CN', 'always', () => import('../../locales/zh-CN.ts')),
  },
  laterLoaders: {
    'en-US': asked('en-US', 'signedIn', () => import('../../locales/pages/en-US.ts')),
    'zh-CN': asked('zh-CN', 'signedIn', () => import('../../locales/pages/zh-CN.ts')),
  },
})

/** Texts of pages and parts that come on demand: home does without them. */
const billingTexts: TextLoaders<typeof billingEn> = {
  'en-US': () => import('../../billing/texts/en-US.json', { with: { type: 'json' } }),
  'zh-CN': () => import('../../billing/texts/zh-CN.json', { with: { type: 'json' } }),
}
const monitoringTexts: TextLoaders<typeof monitoringEn> = {
  'en-US': () => import('../../clusters/monitoring/texts/en-US.json', { with: { type: 'json' } }),
  'zh-CN': () => import('../../clusters/monitoring/texts/zh-CN.json', { with: { type: 'json' } }),
}

export const loadBillingTexts = () => language.loadPart(billingTexts)
export const loadMonitoringTexts = () => language.loadPart(monitoringTexts)

export const {
  current: currentLocale,
  start: startLanguage,
  fetchAhead: fetchTextsAhead,
  choose: chooseLocale,
  loadLater: loadPageTexts,
} = language
