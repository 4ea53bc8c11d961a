import type { Reason, ReasonKey } from '@atoll/contract/api'
import { operationKindTable } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import english from '../en-US/shared/reasons.json' with { type: 'json' }
import chinese from '../zh-CN/shared/reasons.json' with { type: 'json' }
import { fillText } from './fill-text.ts'
import { inLocale } from './in-locale.ts'

const sentences: Record<Locale, Record<ReasonKey, string>> = { 'en-US': english, 'zh-CN': chinese }

/** The sentence, or the two, of `reason` in `locale`. */
export function reasonText(reason: Reason, locale: Locale): string {
  const labels = { kind: inLocale(operationKindTable, locale) }
  const sentence = ({ key, params = {} }: Omit<Reason, 'cause'>) => fillText(sentences[locale][key], params, labels)
  if (!reason.cause) return sentence(reason)
  return `${sentence(reason)}${locale === 'zh-CN' ? '' : ' '}${sentence(reason.cause)}`
}
