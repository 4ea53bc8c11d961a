import type { Locale } from '@atoll/contract/wire'
import { consoleTexts } from '@atoll/texts/console'
import { createLanguage, type TextLoaders } from '@atoll/ui/i18n'
import { localeKey } from './locale-key.ts'

const homePath = '/'

/**
 * The texts that the early script has asked for, which is the same file that `load` would fetch: one that is there
 * already is given at once, where importing it again would let everything else go first that the browser has to do.
 */
function asked(part: 'always' | 'signedIn', loaders: TextLoaders): TextLoaders {
  const askedIn = ([locale, load]: [string, TextLoaders[Locale]]) => {
    const ask: typeof load = () => {
      const early = globalThis.earlyTexts
      const texts = early?.locale === locale ? early[part] : undefined
      return texts ? (texts as ReturnType<typeof load>).catch(load) : load()
    }
    return [locale, ask]
  }
  return Object.fromEntries(Object.entries(loaders).map(askedIn)) as TextLoaders // of the same languages
}

/** The few texts that signing in and choosing an account need. */
export const language = createLanguage({ storageKey: localeKey, loaders: asked('always', consoleTexts.atStart) })

/** Those of home and of what opens over every signed-in page. */
const pageTexts = asked('signedIn', consoleTexts.signedIn)

export const { current: currentLocale, start: startLanguage, choose: chooseLocale } = language

export const loadMonitoringTexts = () => language.loadPart(consoleTexts.monitoring)
/** Those of the operator's area, for staff alone. */
export const loadOperatorTexts = () => language.loadPart(consoleTexts.operator)

/** Awaited by whatever opens over home and speaks with the words of another page. */
export const loadTextsBeyondHome = () => language.loadPart(consoleTexts.beyondHome)

/** The texts of the signed-in page at `path`; awaited before it is drawn. */
export async function loadTextsOf(path: string): Promise<void> {
  await Promise.all([language.loadPart(pageTexts), path !== homePath && loadTextsBeyondHome()])
}

/** Begins to fetch what the first page, at `path`, is going to need. */
export function fetchTextsAhead(path: string, signedIn: boolean): void {
  language.fetchAhead(signedIn ? [pageTexts, ...(path === homePath ? [] : [consoleTexts.beyondHome])] : [])
}
