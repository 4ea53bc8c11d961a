import type { PaymentAttempt, PaymentKind, PaymentSplit } from '@atoll/contract/billing'
import { DeclineCode } from '@atoll/contract/payments'
import { currencySymbols, type Locale } from '@atoll/contract/wire'
import { formatMajorUnits, money } from '@atoll/money'
import { reasonText } from '@atoll/texts/reasons'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { billingWords } from './lines/billing-words.ts'
import type { CardPayment } from './read-payments.ts'

export function splitJson(payment: PaymentRow): PaymentSplit {
  return {
    fromPromo: payment.promo_minor,
    fromBalance: payment.balance_minor,
    toCard: payment.card_minor,
    rolledOver: payment.rolled_minor,
    collected: payment.collected_minor,
  }
}

export function cardJson({ brand, last4 }: CardPayment): { cardBrand?: string; cardLast4?: string } {
  return brand === null || last4 === null ? {} : { cardBrand: brand, cardLast4: last4 }
}

export function kindOf({ card_minor }: CardPayment): PaymentKind {
  return card_minor > 0 ? 'card' : 'Balance'
}

/** A try to pay; why it was declined, or how it is disputed, is written in `locale`. */
export function attemptJson(payment: CardPayment, locale: Locale): PaymentAttempt {
  const { promo_minor, balance_minor, card_minor, ended_at, decline_code, dispute, currency } = payment
  const code = DeclineCode.safeParse(decline_code)
  return {
    paymentId: payment.id,
    createAt: payment.created_at.toISOString(),
    ...(ended_at && { endAt: ended_at.toISOString() }),
    kind: kindOf(payment),
    status: payment.state,
    amount: promo_minor + balance_minor + card_minor,
    toCard: card_minor,
    ...cardJson(payment),
    ...(code.success && { reason: reasonText({ key: code.data }, locale) }),
    ...(dispute && {
      reason: billingWords[locale].dispute(
        dispute.state,
        `${currencySymbols[currency]}${formatMajorUnits(money(dispute.minor, currency))}`,
      ),
    }),
  }
}
