/** Texts by typed key: a key that the language file does not have does not compile. */
import type { Locale } from '@atoll/contract/wire'
import { useSyncExternalStore } from 'react'
import type { Language } from './create-language.ts'

type WithoutPlural<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
/** The dotted paths of a language file, plurals by their base. */
export type TextKeyOf<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${WithoutPlural<Key>}`
    : TextKeyOf<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

export type TranslateWith<Key extends string> = (key: Key, values?: Record<string, string | number>) => string

/**
 * Own types instead of i18next's global ones: there is one of those, and several front ends. An own hook instead of
 * react-i18next's, which asks for every component whether the texts are there: they are loaded before anything is
 * drawn.
 */
export function createTexts<Key extends string>(language: Language) {
  const { i18n } = language
  // Every Key is a path of the language file, so the wider type of i18next's own `t` takes it.
  const t: unknown = i18n.t
  const compose = t as TranslateWith<Key>
  const text: TranslateWith<Key> = (key, values) =>
    (values ? undefined : language.plainText(key)) ?? compose(key, values)
  const follow = (listener: () => void) => {
    i18n.on('languageChanged', listener)
    return () => i18n.off('languageChanged', listener)
  }
  let translator = { locale: language.current(), t: text }
  /** One function per language, so that memoised results are made again after a change of language. */
  const translate = (): TranslateWith<Key> => {
    const locale = language.current()
    if (translator.locale !== locale) translator = { locale, t: (key, values) => text(key, values) }
    return translator.t
  }
  return {
    /** The translator of the current language; the component draws again when the language changes. */
    useText: (): TranslateWith<Key> => useSyncExternalStore(follow, translate, translate),
    /** The current locale; the component draws again when it changes. */
    useLocale: (): Locale => useSyncExternalStore(follow, language.current, language.current),
    /** A text outside of components. */
    text,
  }
}
