import type { Locale } from '@atoll/contract'
import consoleEnglish from '../../apps/console/src/locales/en-US.json' with { type: 'json' }
import consoleChinese from '../../apps/console/src/locales/zh-CN.json' with { type: 'json' }
import walletEnglish from '../../apps/wallet/src/locales/en-US.json' with { type: 'json' }
import walletChinese from '../../apps/wallet/src/locales/zh-CN.json' with { type: 'json' }

/** Dotted paths of the texts in a locale file. */
export type TextKey<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${TextKey<T[K]>}`
}[keyof T & string]

export type Texts<T> = (key: TextKey<T>, params?: Record<string, string | number>) => string

/** Reads texts of a locale file the way the apps do, `{{name}}` filled in, so that each stands in one place. */
function createTexts<T>(file: T): Texts<T> {
  return (key, params = {}) => {
    let node: unknown = file
    for (const part of key.split('.')) node = (node as Record<string, unknown>)[part]
    if (typeof node !== 'string') throw new Error(`there is no text ${key}`)
    return node.replace(/\{\{(\w+)\}\}/g, (braces, name: string) => String(params[name] ?? braces))
  }
}

/** What the server tells both apps (`/config.json`) and their texts name. */
export const names = { product: 'Atoll', wallet: 'LarePass' }

export function walletTexts(locale: Locale): Texts<typeof walletEnglish> {
  return createTexts(locale === 'zh-CN' ? (walletChinese as typeof walletEnglish) : walletEnglish)
}

export function consoleTexts(locale: Locale): Texts<typeof consoleEnglish> {
  return createTexts(locale === 'zh-CN' ? (consoleChinese as typeof consoleEnglish) : consoleEnglish)
}
