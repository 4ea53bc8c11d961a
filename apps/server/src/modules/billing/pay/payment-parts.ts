import { type Money, money, subtractMoney } from '@atoll/money'
import type { PaymentRow } from '../records/documents/document-tables.ts'

/** Cash and promotional credit held for a payment. */
export function heldBy({ balance_minor, promo_minor, currency }: PaymentRow): { cash: Money; promo: Money } {
  return { cash: money(balance_minor, currency), promo: money(promo_minor, currency) }
}

/** The card's part for the invoice itself, and its part for an earlier debt. */
export function cardPartsOf({ card_minor, collected_minor, currency }: PaymentRow): { due: Money; collected: Money } {
  const collected = money(collected_minor, currency)
  return { due: subtractMoney(money(card_minor, currency), collected), collected }
}

/** The gateway that charged the card. */
export function cardPaidBy({ id, gateway }: PaymentRow): string {
  if (gateway === null) throw new Error(`The payment ${id} has no card, and a card paid for it.`)
  return gateway
}
