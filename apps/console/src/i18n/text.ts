/** Texts by typed key. Own types instead of i18next's global ones: three applications share one type check. */
import type { Locale } from '@atoll/contract'
import { useTranslation } from 'react-i18next'
import type en from '../locales/en-US.json'
import { currentLocale, language } from './language.ts'

type WithoutPlural<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
type Paths<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${WithoutPlural<Key>}`
    : Paths<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

export type TextKey = Paths<typeof en>
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string

/** The translator of the current language; the component draws again when the language changes. */
export function useText(): Translate {
  const { t } = useTranslation(undefined, { i18n: language })
  // Every TextKey is a path of en-US.json, so the wider type of i18next's own `t` takes it.
  return t as unknown as Translate
}

/** The current locale; the component draws again when it changes. */
export function useLocale(): Locale {
  useTranslation(undefined, { i18n: language })
  return currentLocale()
}

/** A text outside of components. */
export function text(key: TextKey, values?: Record<string, string | number>): string {
  // As above.
  return (language.t as unknown as Translate)(key, values)
}
