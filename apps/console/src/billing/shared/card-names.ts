import type { Translate } from '../../locales/text.ts'

/** Brands by the name that the gateways give them; their own names are not translated. */
const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  unionpay: 'UnionPay',
  jcb: 'JCB',
  discover: 'Discover',
  diners: 'Diners Club',
}

export interface Card {
  cardBrand?: string | undefined
  cardLast4?: string | undefined
}

export function brandName(brand: string): string {
  return brands[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`
}

/** `Visa 4242`, in a table; a card that nothing is known of is 'Card'. */
export function shortCardName({ cardBrand, cardLast4 }: Card, t: Translate): string {
  const name = cardBrand === undefined ? t('money.card') : brandName(cardBrand)
  return cardLast4 === undefined ? name : `${name} ${cardLast4}`
}

/** `Visa ending 4242`, on a line of its own. */
export function cardName({ cardBrand, cardLast4 }: Card, t: Translate): string {
  const name = cardBrand === undefined ? t('money.card') : brandName(cardBrand)
  return cardLast4 === undefined ? name : t('money.cardEnding', { name, last4: cardLast4 })
}
