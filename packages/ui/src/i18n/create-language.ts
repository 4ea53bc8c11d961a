/** Languages: chosen by the browser at first, then by the person, kept, switched without a reload. */
import { defaultLocale, type Locale, locales, newWordIn } from '@atoll/contract/wire'
import i18next, { type i18n } from 'i18next'
import { closeHanGaps } from './han-gaps.ts'
import { matchLocale } from './match-locale.ts'

/** Where the texts of each language come from. */
export type TextLoaders = Record<Locale, () => Promise<{ default: object }>>

export interface LanguageOptions {
  /** Under which name of local storage the choice is kept. */
  storageKey: string
  /** Each has every key of the first: `npm run check` sees to it. */
  loaders: TextLoaders
}

export interface Language {
  i18n: i18n
  current(): Locale
  /**
   * The text under the dotted `key` as it stands in the current language's file, when it mentions nothing, as most do:
   * in each of the others i18next looks for forms and names, which a slow processor feels. Undefined: it has to be
   * composed.
   */
  plainText(key: string): string | undefined
  /** Begins to fetch the first texts and those of `parts`, before it is known what they mention. */
  fetchAhead(parts: readonly TextLoaders[]): void
  /** Starts with the kept or the browser's language. `names` are what every text may mention. */
  start(names?: { product?: string; wallet?: string }): Promise<void>
  /** Switches and keeps the language; the new one's texts are fetched first, so nothing is drawn half in each. */
  choose(locale: Locale): Promise<void>
  /**
   * Fetches the texts of a part that the first ones do without, in whichever language is spoken then and later, with
   * keys that no other has; awaited before the part is drawn. The same `part` each time.
   */
  loadPart(part: TextLoaders): Promise<void>
}

const namespace = 'translation'

/** One front end's languages. */
export function createLanguage({ storageKey, loaders }: LanguageOptions): Language {
  const language: i18n = i18next.createInstance()
  /** Of each part that was wanted, in which languages its texts are there. */
  const parts = new Map<TextLoaders, Set<Locale>>()
  /** In which language it starts; before, texts cannot be asked for, but calls can name it. */
  let first: Locale | undefined
  const current = () => locales.find((locale) => locale === language.language) ?? first ?? defaultLocale
  const firstLocale = () => {
    first ??= matchLocale([...keptLocale(), ...navigator.languages])
    return first
  }

  async function addPart(part: TextLoaders, locale: Locale): Promise<void> {
    const there = parts.get(part) ?? new Set()
    parts.set(part, there)
    if (there.has(locale)) return
    const { default: texts } = await part[locale]()
    language.addResourceBundle(locale, namespace, texts, true)
    there.add(locale)
  }

  /** Those too that are wanted first while the others come. */
  async function addParts(locale: Locale): Promise<void> {
    const lacking = () => [...parts].filter(([, there]) => !there.has(locale))
    for (let next = lacking(); next.length > 0; next = lacking()) {
      await Promise.all(next.map(([part]) => addPart(part, locale)))
    }
  }

  function keptLocale(): string[] {
    try {
      const kept = localStorage.getItem(storageKey)
      return kept ? [kept] : []
    } catch {
      // Storage is blocked: the browser's languages decide each time.
      return []
    }
  }

  return {
    i18n: language,
    current,
    plainText(key) {
      let found: unknown = language.getDataByLanguage(language.language)?.[namespace]
      for (const name of key.split('.')) found = isTree(found) ? found[name] : undefined
      return typeof found === 'string' && !/\{|\$t\(/.test(found) ? found : undefined
    },
    fetchAhead(ahead) {
      // A failure here happens again, and is reported, when the texts are awaited.
      for (const texts of [loaders, ...ahead]) texts[firstLocale()]().catch(() => undefined)
    },
    async start(names = {}) {
      const locale = firstLocale()
      const { default: texts } = await loaders[locale]()
      language.use({
        type: 'postProcessor',
        name: 'hanGaps',
        process: (text: string, _key: string, values: Record<string, unknown>) => closeHanGaps(text, values),
      })
      await language.init({
        postProcess: 'hanGaps',
        lng: locale,
        resources: { [locale]: { [namespace]: texts } },
        // React escapes; languages load apart, so there is nothing to fall back to.
        interpolation: { prefix: '{', suffix: '}', escapeValue: false, defaultVariables: names },
        fallbackLng: false,
        returnNull: false,
        // A word from a newer server has no text and is shown as it is.
        parseMissingKeyHandler: (key) => newWordIn(key) ?? key,
      })
      document.documentElement.lang = locale
    },
    async choose(locale) {
      if (!language.hasResourceBundle(locale, namespace)) {
        language.addResourceBundle(locale, namespace, (await loaders[locale]()).default)
      }
      await addParts(locale)
      try {
        localStorage.setItem(storageKey, locale)
      } catch {
        // Storage is blocked or full: the choice holds until the page is left.
      }
      await language.changeLanguage(locale)
      document.documentElement.lang = locale
    },
    loadPart: (part) => addPart(part, current()),
  }
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
