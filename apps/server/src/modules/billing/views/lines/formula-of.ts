import { Explain } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { Currency } from '@atoll/money'
import type { ChargedLine } from './charged-lines.ts'
import { lineFormula } from './line-formula.ts'

/** How the amount of a line that was read came to be, a sentence a step. */
export function formulaOf(line: ChargedLine, currency: Currency, locale: Locale): string[] {
  return lineFormula({ ...line, explain: explainOf(line) }, { currency, zone: line.zone, locale })
}

/** The stored explanation of the amount. */
export function explainOf({ explain }: Pick<ChargedLine, 'explain'>): Explain {
  return Explain.parse(JSON.parse(explain))
}
