/** Texts by typed key: a key that en-US.json does not have does not compile. */
import { useTranslation } from 'react-i18next'
import type en from '../locales/en-US.json'
import { language } from './language.ts'

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
