/** Names of documents about money, in the caller's language. */
import type { BalanceChangeType } from '@atoll/contract/billing'
import { documentTexts } from '@atoll/texts/documents'
import { fillText, inEachLocale } from '@atoll/texts/fill-text'
import type { DisputeState } from '../../../payments/index.ts'

export const billingWords = inEachLocale((locale) => {
  const t = documentTexts[locale].billing
  return {
    separator: t.separator,
    order: (what: string) => fillText(t.order, { what }),
    master: (cluster: string) => fillText(t.master, { cluster }),
    worker: (cluster: string, ordinal: number) => fillText(t.worker, { cluster, ordinal }),
    workers: (cluster: string, count: number) => fillText(t.workers, { cluster, count }),
    more: (shown: string, count: number) => fillText(t.more, { shown, count }),
    /** `document`: the number of the invoice it is about; undefined where it is about none. */
    change: (type: BalanceChangeType, document: string | undefined) =>
      document === undefined ? t.changes[type] : fillText(t.about, { text: t.changes[type], document }),
    /** Why something was given back of an invoice; `names` of what it was charged for. */
    credit: (why: Exclude<keyof typeof t.credits, 'ofDays' | 'refunded'>, names: string) =>
      fillText(t.credits[why], { names }),
    creditOfDays: (ended: string, back: string, all: string) => fillText(t.credits.ofDays, { ended, back, all }),
    refunded: (names: string, reason: string) => fillText(t.credits.refunded, { names, reason }),
    /** How a payment is disputed, by what it says of itself. */
    dispute: (state: DisputeState, amount: string) => fillText(t.disputes[state], { amount }),
  }
})
