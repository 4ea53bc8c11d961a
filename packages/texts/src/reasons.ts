import type { Reason } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { fillText, joinSentences } from './fill-text.ts'
import { joinTexts } from './modules.ts'
import { operationTexts } from './operations.ts'

const sentences = joinTexts(({ reasons }) => reasons)

/** The sentence, or the two, of `reason` in `locale`. */
export function reasonText(reason: Reason, locale: Locale): string {
  const labels = { kind: operationTexts[locale].kinds }
  const sentence = ({ key, params = {} }: Omit<Reason, 'cause'>) =>
    fillText(sentences[locale][key] ?? key, params, labels)
  return joinSentences([reason, ...(reason.cause ? [reason.cause] : [])].map(sentence), locale)
}
