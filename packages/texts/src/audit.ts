/** The words of the audit log. */
import type { AuditKind } from '@atoll/contract/audit'
import { type Locale, lookUp, planNames } from '@atoll/contract/wire'
import { joinTexts, modules } from './modules.ts'
import { statusLabels } from './statuses.ts'

const kinds = joinTexts(({ audit }) => audit?.kinds)
const sentences = joinTexts(({ audit }) => audit?.sentences)
const facts = joinTexts(({ audit }) => audit?.facts)

export function auditKindLabel(kind: AuditKind, locale: Locale): string {
  return kinds[locale][kind] ?? kind
}

/** The sentence of an action, with its placeholders; an unknown action is shown as it is. */
export function auditSentence(action: string, locale: Locale): string {
  return lookUp<string, string>(sentences[locale], action, action)
}

/** By the key of a fact, in the order in which facts are shown. */
export function auditFactLabels(locale: Locale): Readonly<Record<string, string>> {
  return facts[locale]
}

/** The words of `value` under `key`; undefined: it is shown as it is. */
export function auditFactValue(key: string, value: string, locale: Locale): string | undefined {
  if (key === 'planLevel') return planNames[Number(value)]
  const labels: Readonly<Record<string, string>> = statusLabels[locale]
  if (key === 'status') return labels[value]
  return modules[locale].map(({ audit }) => audit?.values?.[key]?.[value]).find((found) => found !== undefined)
}
