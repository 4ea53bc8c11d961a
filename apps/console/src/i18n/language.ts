/** Languages: chosen by the browser at first, then by the person, kept, switched without a reload. */
import { defaultLocale, type Locale, locales } from '@atoll/contract'
import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type en from '../locales/en-US.json'

const storageKey = 'atoll_console_locale'

/** Every language must have every key of the first: a missing one does not compile. */
const loaders: Record<Locale, () => Promise<{ default: typeof en }>> = {
  'en-US': () => import('../locales/en-US.json'),
  'zh-CN': () => import('../locales/zh-CN.json'),
}

export const language: i18n = i18next.createInstance()

/** The first supported locale among `tags` by its language; the default without one. */
export function matchLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const match = locales.find((locale) => tag.slice(0, 2).toLowerCase() === locale.slice(0, 2))
    if (match) return match
  }
  return defaultLocale
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

export function currentLocale(): Locale {
  return locales.find((locale) => locale === language.language) ?? defaultLocale
}

/** Starts with the kept or the browser's language. `names` are what every text may mention. */
export async function startLanguage(names: { product: string; wallet: string }): Promise<void> {
  const locale = matchLocale([...keptLocale(), ...navigator.languages])
  const { default: texts } = await loaders[locale]()
  await language.use(initReactI18next).init({
    lng: locale,
    resources: { [locale]: { translation: texts } },
    // React escapes; languages load apart, so there is nothing to fall back to.
    interpolation: { escapeValue: false, defaultVariables: names },
    fallbackLng: false,
    returnNull: false,
  })
  document.documentElement.lang = locale
}

/** Switches and keeps the language; texts of the new one are fetched first, so nothing is drawn half in each. */
export async function chooseLocale(locale: Locale): Promise<void> {
  if (!language.hasResourceBundle(locale, 'translation')) {
    language.addResourceBundle(locale, 'translation', (await loaders[locale]()).default)
  }
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // Storage is blocked or full: the choice holds until the page is left.
  }
  await language.changeLanguage(locale)
  document.documentElement.lang = locale
}
