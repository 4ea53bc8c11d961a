/** Languages: chosen by the browser at first, then by the person, kept; switched without a reload. */
import { defaultLocale, type Locale, locales } from '@atoll/contract'
import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type en from '../locales/en-US.json'

const storageKey = 'atoll_server_locale'
/** Every language must have every key of the first: a missing one does not compile. */
const loaders: Record<Locale, () => Promise<{ default: typeof en }>> = {
  'en-US': () => import('../locales/en-US.json'),
  'zh-CN': () => import('../locales/zh-CN.json'),
}

export const language: i18n = i18next.createInstance()

function firstLocale(): Locale {
  const kept = localStorage.getItem(storageKey)
  const wanted = [kept, ...navigator.languages].filter((tag) => tag !== null)
  for (const tag of wanted) {
    const match = locales.find((locale) => tag.slice(0, 2).toLowerCase() === locale.slice(0, 2))
    if (match) return match
  }
  return defaultLocale
}

export function currentLocale(): Locale {
  return locales.find((locale) => locale === language.language) ?? defaultLocale
}

async function show(locale: Locale): Promise<void> {
  if (!language.hasResourceBundle(locale, 'translation'))
    language.addResourceBundle(locale, 'translation', (await loaders[locale]()).default)
  await language.changeLanguage(locale)
  document.documentElement.lang = locale
}

export async function chooseLocale(locale: Locale): Promise<void> {
  localStorage.setItem(storageKey, locale)
  await show(locale)
}

export async function startLanguage(): Promise<void> {
  const locale = firstLocale()
  const { default: texts } = await loaders[locale]()
  await language.use(initReactI18next).init({
    lng: locale,
    resources: { [locale]: { translation: texts } },
    // React escapes; the two languages load apart, so there is nothing to fall back to.
    interpolation: { escapeValue: false },
    fallbackLng: false,
    returnNull: false,
  })
  document.documentElement.lang = locale
}
