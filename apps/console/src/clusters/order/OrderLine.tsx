import type { UnpaidOrder } from '@atoll/contract/clusters'
import { TimeLeft } from '../../billing/shared/TimeLeft.tsx'
import { useText } from '../../locales/text.ts'
import classes from './OrderLine.module.css'
import { OrderParts } from './OrderParts.tsx'

/** How long an order can be paid, what becomes of it else, and from where the money would come. */
export function OrderLine({ order: { invoiceId, currency, validUntil } }: { order: UnpaidOrder }) {
  const t = useText()
  return (
    <div className={classes.order}>
      <TimeLeft until={validUntil}>{t('order.lapses')}</TimeLeft>
      <OrderParts invoiceId={invoiceId} currency={currency} />
    </div>
  )
}
