import type { PaymentMethod as CardJson } from '@atoll/contract/payments'
import type { PaymentMethod } from './card-store.ts'

/** A card as clients see it, with when its newest charge was declined. It is good until the end of its month. */
export function cardJson(card: PaymentMethod, now: Date, declinedAt: Date | undefined): CardJson {
  const isExpired = now.getTime() >= Date.UTC(card.exp_year, card.exp_month, 1)
  return {
    id: card.id,
    cardBrand: card.brand,
    cardLast4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    isDefault: card.is_default,
    state: isExpired ? 'expired' : 'active',
    lastDeclinedAt: declinedAt?.toISOString() ?? null,
  }
}
