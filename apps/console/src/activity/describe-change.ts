import { Reason } from '@atoll/contract/api'
import type { AuditFacts, AuditRecord } from '@atoll/contract/audit'
import type { Locale } from '@atoll/contract/wire'
import { auditFactLabels, auditFactValue } from '@atoll/texts/audit'
import { reasonText } from '@atoll/texts/reasons'
import { formatDeadline } from '../kit/format/deadlines.ts'
import type { Translate } from '../locales/text.ts'
import { amountFact } from './amount-fact.ts'

type Fact = AuditFacts[string]

/** Longest value that is shown whole, characters. */
const longest = 40

/**
 * The changes of an act, a line each: `Status: Stopped → Starting`; of a new object only its new values. Unchanged and
 * unknown values, and ids that only programs need, are left out.
 */
export function describeChange({ before, after }: AuditRecord, t: Translate, locale: Locale): string[] {
  return Object.entries(auditFactLabels(locale)).flatMap(([key, label]) => {
    const [was, became] = [before?.[key] ?? null, after?.[key] ?? null]
    if (was === became) return []
    // A boolean has words of its own and needs no label: 'Can create clusters'.
    if (typeof became === 'boolean') return [wordsOf(key, became, t, locale)]
    const colon = locale === 'zh-CN' ? '：' : ': '
    const [from, to] = [
      (before && amountFact(before, key, locale)) ?? wordsOf(key, was, t, locale),
      (after && amountFact(after, key, locale)) ?? wordsOf(key, became, t, locale),
    ]
    if (!before || !(key in before)) return [`${label}${colon}${to}`]
    // For one picture in place of another the action's words say it all.
    return from === to ? [] : [`${label}${colon}${from} → ${to}`]
  })
}

function wordsOf(key: string, fact: Fact, t: Translate, locale: Locale): string {
  if (fact === null) return t('activity.none')
  const text = String(fact)
  // A picture is kept by its hash, which says nothing to anybody.
  if (key === 'avatar') return t('activity.yes')
  if (key === 'expireAt') return formatDeadline(text, Date.now(), locale)
  if (key === 'reason') return reasonWords(text, locale)
  const words = auditFactValue(key, text, locale)
  if (words !== undefined) return words
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** A reason is kept as data and shown in the reader's language; one that a person wrote is shown as it is. */
function reasonWords(text: string, locale: Locale): string {
  const reason = Reason.safeParse(parseJson(text)).data
  return reason ? reasonText(reason, locale) : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Words of a person.
    return undefined
  }
}
