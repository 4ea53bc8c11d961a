import type { PaymentSplit } from '@atoll/contract/billing'
import type { Translate } from '../../locales/text.ts'
import { type Card, shortCardName } from './card-names.ts'

/** What pays, in the order in which it is used: 'Promo credit, Visa 4242'; undefined where nothing does. */
export function meansOf(split: PaymentSplit & Card, t: Translate): string | undefined {
  const means = [
    split.fromPromo > 0 && t('money.promo'),
    split.fromBalance > 0 && t('money.balance'),
    split.toCard > 0 && shortCardName(split, t),
    split.rolledOver > 0 && t('money.nextBill'),
  ].filter((name) => name !== false)
  return means.length === 0 ? undefined : means.join(t('money.listSeparator'))
}
