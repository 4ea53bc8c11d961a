import type { Locale } from '@atoll/contract/wire'
import { createLanguage, type TextLoaders } from '@atoll/ui/i18n'
import type monitoringEn from '../clusters/monitoring/texts/en-US.json'
import type operatorEn from '../operator/texts/en-US.json'
import type beyondHomeEn from './beyond-home/en-US.ts'
import type en from './en-US.ts'
import { localeKey } from './locale-key.ts'
import type pagesEn from './pages/en-US.ts'

const homePath = '/'

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

/** The few texts that signing in and choosing an account need. */
export const language = createLanguage<typeof en>({
  storageKey: localeKey,
  loaders: {
    'en-US': asked('en-US', 'always', () => import('./en-US.ts')),
    'zh-CN': asked('zh-CN', 'always', () => import('./zh-CN.ts')),
  },
})

/** Those of home and of what opens over every signed-in page. */
const pageTexts: TextLoaders<typeof pagesEn> = {
  'en-US': asked('en-US', 'signedIn', () => import('./pages/en-US.ts')),
  'zh-CN': asked('zh-CN', 'signedIn', () => import('./pages/zh-CN.ts')),
}

/** Texts of the pages beyond home: see `loadTextsOf` and `loadTextsBeyondHome`. */
const beyondHomeTexts: TextLoaders<typeof beyondHomeEn> = {
  'en-US': () => import('./beyond-home/en-US.ts'),
  'zh-CN': () => import('./beyond-home/zh-CN.ts'),
}

/** Texts of a part that comes on demand. */
const monitoringTexts: TextLoaders<typeof monitoringEn> = {
  'en-US': () => import('../clusters/monitoring/texts/en-US.json', { with: { type: 'json' } }),
  'zh-CN': () => import('../clusters/monitoring/texts/zh-CN.json', { with: { type: 'json' } }),
}

const operatorTexts: TextLoaders<typeof operatorEn> = {
  'en-US': () => import('../operator/texts/en-US.json', { with: { type: 'json' } }),
  'zh-CN': () => import('../operator/texts/zh-CN.json', { with: { type: 'json' } }),
}

export const { current: currentLocale, start: startLanguage, choose: chooseLocale } = language

export const loadMonitoringTexts = () => language.loadPart(monitoringTexts)
/** Those of the operator's area, for staff alone. */
export const loadOperatorTexts = () => language.loadPart(operatorTexts)

/** Awaited by whatever opens over home and speaks with the words of another page. */
export const loadTextsBeyondHome = () => language.loadPart(beyondHomeTexts)

/** The texts of the signed-in page at `path`; awaited before it is drawn. */
export async function loadTextsOf(path: string): Promise<void> {
  await Promise.all([language.loadPart(pageTexts), path !== homePath && loadTextsBeyondHome()])
}

/** Begins to fetch what the first page, at `path`, is going to need. */
export function fetchTextsAhead(path: string, signedIn: boolean): void {
  language.fetchAhead(signedIn ? [pageTexts, ...(path === homePath ? [] : [beyondHomeTexts])] : [])
}
