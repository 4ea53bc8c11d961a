import type { CreditNote } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { billingWords } from './lines/billing-words.ts'
import type { ChargedLine } from './lines/charged-lines.ts'
import { instanceName, productName } from './lines/line-names.ts'
import type { ReadCredit } from './read-invoices.ts'

/** A credit note of an invoice, with the invoice's lines. */
export function creditJson(note: ReadCredit, lines: readonly ChargedLine[], locale: Locale): CreditNote {
  const reason = creditReason(note, lines, locale)
  return {
    creditNoteId: note.id,
    createAt: note.issued_at.toISOString(),
    toBalance: note.cash_minor,
    toPromo: note.promo_minor,
    offInvoice: note.receivable_minor,
    ...(reason !== undefined && { reason }),
    items: note.lines.map(({ line, amount_minor, discount_minor }) => ({
      line,
      amount: amount_minor,
      discount: discount_minor,
    })),
  }
}

/** Why it was given back, by the names of its invoice; undefined: it was not written down yet. */
export function creditReason(
  { cause, reason, lines: back }: Pick<ReadCredit, 'cause' | 'reason' | 'lines'>,
  lines: readonly ChargedLine[],
  locale: Locale,
): string | undefined {
  if (cause === null) return undefined
  const words = billingWords[locale]
  const given = back.flatMap((part) => {
    const line = lines.find((one) => one.line === part.line)
    return line ? [{ line, amount: part.amount_minor }] : []
  })
  const names = given.map(({ line }) => instanceName(line, locale) ?? productName(line, locale)).join(words.separator)
  switch (cause) {
    case 'refunded':
      return words.refunded(names, reason ?? '')
    case 'readings':
    case 'stopped':
    case 'neverRan':
      return words.credit(cause, names)
    case 'ended': {
      const isPlan = given.every(({ line }) => line.instance === null)
      const ended = words.credit(isPlan ? 'planEnded' : 'destroyed', names)
      const days = daysOf(given)
      return days ? words.creditOfDays(ended, days.back, days.all) : ended
    }
  }
}

const dayMs = 86_400_000

/** How many days of how many the amount is; undefined where lines of different times are given back. */
function daysOf(given: readonly { line: ChargedLine; amount: number }[]): { back: string; all: string } | undefined {
  const lengths = new Set(given.map(({ line }) => line.period_end.getTime() - line.period_start.getTime()))
  const [length] = lengths
  if (length === undefined || lengths.size > 1) return undefined
  const sumOf = (of: (one: (typeof given)[number]) => number) => given.reduce((sum, one) => sum + of(one), 0)
  const [back, all] = [sumOf(({ amount }) => amount), sumOf(({ line }) => line.amount_minor)]
  const text = (days: number) => String(Math.round(days * 10) / 10)
  return { back: text((length / dayMs) * (back / all)), all: text(length / dayMs) }
}
