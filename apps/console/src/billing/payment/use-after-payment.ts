import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useClusterList, useInit } from '../../data/home-queries.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { cameFrom } from '../../kit/page/came-from.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { forgetAfterPayment, keepAfterPayment, readAfterPayment } from '../shared/after-payment.ts'
import { useGoOn } from '../shared/use-go-on.ts'
import type { Invoice, Payment } from './invoice/use-payment.ts'
import { paymentStage } from './payment-stage.ts'

/** Goes on once the invoice is paid, where the order or the press that is awaited said so; an old payment stays. */
export function useLeadsOn(invoice: Invoice, payment: Payment | undefined): void {
  const goOn = useGoOn()
  const { invoiceId } = invoice
  const isPaid = paymentStage(invoice, payment) === 'paid'
  const leadOn = useEffectEvent(() => {
    const after = readAfterPayment(invoiceId)
    if (!after) return
    forgetAfterPayment(invoiceId)
    goOn(after)
  })
  useEffect(() => {
    if (isPaid) leadOn()
  }, [isPaid])
  useEffect(() => () => forgetAfterPayment(invoiceId), [invoiceId])
}

/**
 * Stores the target of 'Pay': the order of a cluster leads to its paid page, all others back to the page before. A
 * target stored by the order itself stays. `amount`: minor units.
 */
export function useKeepsWay(invoice: Invoice, amount: number): (invoiceId: string) => void {
  const t = useText()
  const locale = useLocale()
  const { pathname } = useLocation()
  const { data: clusters } = useClusterList(useInit().data)
  const { kind, items, currency } = invoice
  const ordered =
    kind === 'order' &&
    clusters?.find((cluster) => items.some(({ instanceId }) => instanceId === cluster.instanceId))?.clusterId
  return (invoiceId) => {
    const text = t('paid.notice', { amount: formatMoney(amount, currency, locale) })
    const way = ordered ? { to: `/paid/${ordered}` } : { to: cameFrom() ?? pathname, text }
    keepAfterPayment(invoiceId, readAfterPayment(invoice.invoiceId) ?? way)
  }
}
