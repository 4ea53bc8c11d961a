import type { Estimate } from '@atoll/contract/billing'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { cardName } from '../../shared/card-names.ts'
import { useCustomer } from '../../shared/use-customer.ts'

type Split = Pick<Estimate, 'fromPromo' | 'fromBalance' | 'toCard' | 'rolledOver' | 'currency'>

/** From where a bill is paid: `$3.20 from the balance, $32.03 by Visa ending 4242`; empty where nothing is. */
export function useSplitWords({ fromPromo, fromBalance, toCard, rolledOver, currency }: Split): string {
  const t = useText()
  const locale = useLocale()
  const method = useCustomer()?.defaultPayMethod
  const money = (minor: number) => formatMoney(minor, currency, locale)
  return [
    fromPromo > 0 && t('billing.fromPromo', { amount: money(fromPromo) }),
    fromBalance > 0 && t('billing.fromBalance', { amount: money(fromBalance) }),
    toCard > 0 &&
      (method
        ? t('billing.byCard', { amount: money(toCard), card: cardName(method, t) })
        : t('billing.byNoCard', { amount: money(toCard) })),
    rolledOver > 0 && t('billing.rolled', { amount: money(rolledOver) }),
  ]
    .filter((words) => words !== false)
    .join(t('billing.comma'))
}
