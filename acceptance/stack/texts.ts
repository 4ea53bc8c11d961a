import type { Locale } from '@atoll/contract/wire'
import startEnglish from '../../packages/texts/en-US/console/at-start.ts'
import beyondHomeEnglish from '../../packages/texts/en-US/console/beyond-home.ts'
import monitoringEnglish from '../../packages/texts/en-US/console/clusters-monitoring.json' with { type: 'json' }
import operatorEnglish from '../../packages/texts/en-US/console/operator.json' with { type: 'json' }
import pagesEnglish from '../../packages/texts/en-US/console/signed-in.ts'
import serverEnglish from '../../packages/texts/en-US/personal-server/all.ts'
import walletEnglish from '../../packages/texts/en-US/wallet/all.ts'
import startChinese from '../../packages/texts/zh-CN/console/at-start.ts'
import beyondHomeChinese from '../../packages/texts/zh-CN/console/beyond-home.ts'
import monitoringChinese from '../../packages/texts/zh-CN/console/clusters-monitoring.json' with { type: 'json' }
import operatorChinese from '../../packages/texts/zh-CN/console/operator.json' with { type: 'json' }
import pagesChinese from '../../packages/texts/zh-CN/console/signed-in.ts'
import serverChinese from '../../packages/texts/zh-CN/personal-server/all.ts'
import walletChinese from '../../packages/texts/zh-CN/wallet/all.ts'
import { closeHanGaps } from '../../packages/ui/src/i18n/han-gaps.ts'

/** Dotted paths of the texts in a locale file. */
export type TextKey<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${TextKey<T[K]>}`
}[keyof T & string]

export type Texts<T> = (key: TextKey<T>, params?: Record<string, string | number>) => string

const consoleEnglish = {
  ...startEnglish,
  ...pagesEnglish,
  ...beyondHomeEnglish,
  ...monitoringEnglish,
  ...operatorEnglish,
}
const consoleChinese = {
  ...startChinese,
  ...pagesChinese,
  ...beyondHomeChinese,
  ...monitoringChinese,
  ...operatorChinese,
}

/** Values of `/config.json`, which texts name without a parameter. */
const names = { product: 'Atoll', wallet: 'LarePass' }

/** Reads texts of a locale file the way the apps do, `{name}` filled in, so that each stands in one place. */
function createTexts<T>(file: object): Texts<T> {
  return (key, params = {}) => {
    let node: unknown = file
    for (const part of key.split('.')) node = (node as Record<string, unknown>)[part]
    if (typeof node !== 'string') throw new Error(`there is no text ${key}`)
    const known: Record<string, string | number> = { ...names, ...params }
    const filled = node.replace(/\{(\w+)\}/g, (braces, name: string) => String(known[name] ?? braces))
    return closeHanGaps(filled, params)
  }
}

// A Chinese file lacks the English one's singular forms; asking for one there throws.
export function walletTexts(locale: Locale): Texts<typeof walletEnglish> {
  return createTexts<typeof walletEnglish>(locale === 'zh-CN' ? walletChinese : walletEnglish)
}

export function consoleTexts(locale: Locale): Texts<typeof consoleEnglish> {
  return createTexts<typeof consoleEnglish>(locale === 'zh-CN' ? consoleChinese : consoleEnglish)
}

export function serverTexts(locale: Locale): Texts<typeof serverEnglish> {
  return createTexts<typeof serverEnglish>(locale === 'zh-CN' ? serverChinese : serverEnglish)
}

const rawKey = new RegExp(`(?<![\\w./@-])(${Object.keys(consoleEnglish).join('|')})\\.[a-z]+[A-Z]\\w*`)

/** A key of the console's language files that stands where its text should; undefined: none does. */
export function findRawKey(shown: string): string | undefined {
  return rawKey.exec(shown)?.[0]
}
