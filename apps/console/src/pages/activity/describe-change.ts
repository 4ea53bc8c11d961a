import { type AuditFacts, type AuditRecord, auditFactLabels, type Locale, statusTable } from '@atoll/contract'
import type { Translate } from '../../i18n/text.ts'

type Fact = AuditFacts[string]

/** Longest value that is shown whole, characters. */
const longest = 40

/**
 * What an act changed, a line each: `Status: Stopped → Starting`; of what was made only what it became. What stayed as it
 * was is left out.
 */
export function describeChange({ before, after }: AuditRecord, t: Translate, locale: Locale): string[] {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return keys
    .filter((key) => before?.[key] !== after?.[key])
    .map((key) => {
      const label = auditFactLabels[key]?.[locale] ?? key
      const colon = locale === 'zh-CN' ? '：' : ': '
      const became = wordsOf(after?.[key], t, locale)
      const was = before && key in before ? `${wordsOf(before[key], t, locale)} → ` : ''
      return `${label}${colon}${was}${became}`
    })
}

function wordsOf(fact: Fact | undefined, t: Translate, locale: Locale): string {
  if (fact === null || fact === undefined) return t('activity.none')
  if (typeof fact === 'boolean') return t(fact ? 'activity.yes' : 'activity.no')
  const status = Object.entries(statusTable).find(([name]) => name === fact)?.[1]
  if (status) return status.label[locale]
  const text = String(fact)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
