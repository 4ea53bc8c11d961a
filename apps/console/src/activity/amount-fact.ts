import type { AuditFacts } from '@atoll/contract/audit'
import { type Locale, minorUnitsPerUnit } from '@atoll/contract/wire'
import { formatMoney } from '../kit/format/money.ts'

const amountKeys: ReadonlySet<string> = new Set(['amount', 'spendCap'])

/**
 * An amount as the rest of the console writes it: a record keeps its major units as text, and their currency beside it.
 * Undefined: the fact is none.
 */
export function amountFact(facts: AuditFacts, key: string, locale: Locale): string | undefined {
  const [minor, currency] = [Math.round(Number(facts[key] ?? Number.NaN) * minorUnitsPerUnit), facts['currency']]
  if (!amountKeys.has(key) || Number.isNaN(minor) || typeof currency !== 'string') return undefined
  return formatMoney(minor, currency, locale)
}
