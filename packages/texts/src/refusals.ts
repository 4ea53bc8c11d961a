/** The sentences of the error catalogue; texts that the specification gives (§8) are letter for letter. */
import type { ErrorKey } from '@atoll/contract/api'
import { actionPhrases, statusLabels } from '@atoll/contract/clusters'
import { domainStatusLabels } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import englishObjects from '../en-US/shared/objects.json' with { type: 'json' }
import english from '../en-US/shared/refusals.json' with { type: 'json' }
import chineseObjects from '../zh-CN/shared/objects.json' with { type: 'json' }
import chinese from '../zh-CN/shared/refusals.json' with { type: 'json' }
import { createRefusals } from './create-refusals.ts'
import { fillText, type ParamLabels, type TextParams } from './fill-text.ts'
import { inLocale } from './in-locale.ts'

const sentences: Record<Locale, Record<ErrorKey, string>> = {
  'en-US': { ...createRefusals['en-US'], ...english },
  'zh-CN': { ...createRefusals['zh-CN'], ...chinese },
}
/** The objects that `notFound` can name. */
const objects: Record<Locale, typeof englishObjects> = { 'en-US': englishObjects, 'zh-CN': chineseObjects }

const labelsIn = (locale: Locale): ParamLabels => ({
  action: inLocale(actionPhrases, locale),
  domainStatus: inLocale(domainStatusLabels, locale),
  object: objects[locale],
  status: inLocale(statusLabels, locale),
})
const labels: Record<Locale, ParamLabels> = { 'en-US': labelsIn('en-US'), 'zh-CN': labelsIn('zh-CN') }

/**
 * The sentence of `key` in `locale` with `{name}`s filled from `params`; an absent parameter leaves its braces.
 * A wire value that has words of its own, such as a status, is named by them.
 */
export function errorMessage(key: ErrorKey, locale: Locale, params: TextParams = {}): string {
  return fillText(sentences[locale][key], params, labels[locale])
}
