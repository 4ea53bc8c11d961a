import type { Locale } from '@atoll/contract/wire'
import serverEnglish from '../../apps/agent/web/src/locales/en-US.json' with { type: 'json' }
import serverChinese from '../../apps/agent/web/src/locales/zh-CN.json' with { type: 'json' }
import monitoringEnglish from '../../apps/console/src/clusters/monitoring/texts/en-US.json' with { type: 'json' }
import monitoringChinese from '../../apps/console/src/clusters/monitoring/texts/zh-CN.json' with { type: 'json' }
import beyondHomeEnglish from '../../apps/console/src/locales/beyond-home/en-US.ts'
import beyondHomeChinese from '../../apps/console/src/locales/beyond-home/zh-CN.ts'
import startEnglish from '../../apps/console/src/locales/en-US.ts'
import pagesEnglish from '../../apps/console/src/locales/pages/en-US.ts'
import pagesChinese from '../../apps/console/src/locales/pages/zh-CN.ts'
import startChinese from '../../apps/console/src/locales/zh-CN.ts'
import operatorEnglish from '../../apps/console/src/operator/texts/en-US.json' with { type: 'json' }
import operatorChinese from '../../apps/console/src/operator/texts/zh-CN.json' with { type: 'json' }
import walletEnglish from '../../apps/wallet/src/locales/en-US.json' with { type: 'json' }
import walletChinese from '../../apps/wallet/src/locales/zh-CN.json' with { type: 'json' }
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
