import { currentPaymentInfo } from '@atoll/contract/billing'
import { cardName } from '../../billing/shared/card-names.ts'
import { useCustomer } from '../../billing/shared/use-customer.ts'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './OrderLine.module.css'

export interface OrderSplitProps {
  invoiceId: string
  currency: string
}

/** From where the money for a bill would come if it were paid now. */
export function OrderSplit({ invoiceId, currency }: OrderSplitProps) {
  const t = useText()
  const locale = useLocale()
  const method = useCustomer()?.defaultPayMethod
  const split = useCall(currentPaymentInfo, { invoiceId }).data?.split
  const parts: [string, number][] = split
    ? [
        [t('money.promo'), split.fromPromo],
        [t('money.balance'), split.fromBalance],
        [method ? cardName(method, t) : t('order.noCard'), split.toCard],
      ]
    : []
  return (
    <dl className={classes.parts}>
      {parts.map(
        ([label, amount]) =>
          amount > 0 && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{formatMoney(amount, currency, locale)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
