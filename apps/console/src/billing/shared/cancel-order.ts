import { cancelNoPaid } from '@atoll/contract/billing'
import { cancelInstance } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { confirm } from '../../kit/confirm/confirm.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { text as t } from '../../locales/text.ts'

interface Order {
  /** Of a new cluster by its subscription; of a cluster or of workers by one of its instances. */
  cancels: { subscriptionId: string } | { instanceId: string }
  /** Its price. */
  invoice: { number: string; amount: number; currency: string }
}

/** Asks whether an order that is not paid yet is to be taken back. */
export function askToCancel({ cancels, invoice }: Order, locale: Locale): void {
  const amount = formatMoney(invoice.amount, invoice.currency, locale)
  const question = {
    title: t('money.cancelTitle', { number: invoice.number }),
    lost: [t('money.cancelText'), t('money.cancelInvoice', { amount })],
    keep: t('money.cancelKeep'),
    act: t('money.cancelDo'),
    danger: true as const,
  }
  if ('instanceId' in cancels) confirm({ ...question, run: { call: cancelInstance, body: cancels } })
  else confirm({ ...question, run: { call: cancelNoPaid, body: cancels } })
}
