/** The sentences of the error catalogue; texts that the specification gives (§8) are letter for letter. */
import type { ErrorKey } from '@atoll/contract/api'
import { type Locale, lookUp } from '@atoll/contract/wire'
import { createRefusals } from './create-refusals.ts'
import { fillText, type TextParams } from './fill-text.ts'
import { joinTexts } from './modules.ts'
import { statusLabels } from './statuses.ts'

const sentences = joinTexts(({ refusals }) => refusals)
const actions = joinTexts(({ labels }) => labels?.['action'])
const domainStatuses = joinTexts(({ labels }) => labels?.['domainStatus'])
/** The objects that `notFound` can name. */
const objects = joinTexts(({ labels }) => labels?.['object'])

/**
 * The sentence of `key` in `locale` with `{name}`s filled from `params`; an absent parameter leaves its braces.
 * A wire value that has words of its own, such as a status, is named by them.
 */
export function errorMessage(key: ErrorKey, locale: Locale, params: TextParams = {}): string {
  const apart: Readonly<Record<string, string>> = createRefusals[locale]
  return fillText(sentences[locale][key] ?? apart[key] ?? key, params, {
    action: actions[locale],
    domainStatus: domainStatuses[locale],
    object: objects[locale],
    status: statusLabels[locale],
  })
}

/** A domain's status in words; one that is not known yet is shown as it is. */
export function domainStatusLabel(status: string, locale: Locale): string {
  return lookUp(domainStatuses[locale], status, status)
}
