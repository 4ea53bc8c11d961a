import type { PaymentSplit } from '@atoll/contract/billing'
import type { Translate } from '../../locales/text.ts'
import { type Card, shortCardName } from './card-names.ts'

/** Means of payment in the order in which they are used: 'Promo credit, Visa 4242'; undefined without any. */
export function meansOf(split: PaymentSplit & Card, t: Translate): string | undefined {
  const means = [
    split.fromPromo > 0 && t('money.promo'),
    split.fromBalance > 0 && t('money.balance'),
    split.toCard > 0 && shortCardName(split, t),
    split.rolledOver > 0 && t('money.nextBill'),
  ].filter((name) => name !== false)
  return means.length === 0 ? undefined : means.join(t('money.listSeparator'))
}
