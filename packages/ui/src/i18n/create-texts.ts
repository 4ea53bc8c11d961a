/** Texts by typed key: a key that the language file does not have does not compile. */
import type { Locale } from '@atoll/contract'
import { useTranslation } from 'react-i18next'
import type { Language } from './create-language.ts'

type WithoutPlural<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
/** The dotted paths of a language file, plurals by their base. */
export type TextKeyOf<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${WithoutPlural<Key>}`
    : TextKeyOf<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

export type TranslateWith<Key extends string> = (key: Key, values?: Record<string, string | number>) => string

/** Own types instead of i18next's global ones: there is one of those, and several front ends. */
export function createTexts<Key extends string>(language: Language) {
  // Every Key is a path of the language file, so the wider type of i18next's own `t` takes it.
  const typed = (t: unknown) => t as TranslateWith<Key>
  return {
    /** The translator of the current language; the component draws again when the language changes. */
    useText: (): TranslateWith<Key> => typed(useTranslation(undefined, { i18n: language.i18n }).t),
    /** The current locale; the component draws again when it changes. */
    useLocale(): Locale {
      useTranslation(undefined, { i18n: language.i18n })
      return language.current()
    },
    /** A text outside of components. */
    text: (key: Key, values?: Record<string, string | number>): string => typed(language.i18n.t)(key, values),
  }
}
