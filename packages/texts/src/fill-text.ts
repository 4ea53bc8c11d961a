import { type Locale, locales } from '@atoll/contract/wire'

export type TextParams = Readonly<Record<string, string | number>>
/** By a parameter's name: the words of its wire values. */
export type ParamLabels = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * `text` with `{name}`s filled from `params`: a value that has a label is named by it, an absent parameter leaves its
 * braces.
 */
export function fillText(text: string, params: TextParams, labels: ParamLabels = {}): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = ownOf(params, name)
    if (value === undefined) return braces
    return ownOf(ownOf(labels, name) ?? {}, String(value)) ?? String(value)
  })
}

/** Inherited names such as `constructor` are no keys. */
function ownOf<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** The form of `key` for `count`: of `key_one` and `key_other` in English, of `key_other` in Chinese. */
export function formOf(
  texts: Readonly<Record<string, string>>,
  key: string,
  count: number,
  locale: Locale,
): string | undefined {
  return texts[`${key}_${new Intl.PluralRules(locale).select(count)}`]
}

/** Texts of any language: not all of them have a form for exactly one. */
export type Forms<Texts> = {
  readonly [Key in keyof Texts as Key extends `${string}_one` ? never : Key]: Texts[Key] extends string
    ? string
    : Forms<Texts[Key]>
}

/** The same in each language. */
export function inEachLocale<Made>(make: (locale: Locale) => Made): Record<Locale, Made> {
  return Object.fromEntries(locales.map((locale) => [locale, make(locale)])) as Record<Locale, Made> // one of each
}

/** Sentences one after the other: in Chinese without a space between them. */
export function joinSentences(sentences: readonly string[], locale: Locale): string {
  return sentences.join(locale === 'zh-CN' ? '' : ' ')
}
