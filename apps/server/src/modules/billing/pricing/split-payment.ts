import { addMoney, type Currency, type Money, money, smallerMoney, subtractMoney } from '@atoll/money'
import type { Means, PaymentSplit } from './basket.ts'

/** Less than this is not asked of a card: minor units. */
const cardMinimum: Record<Currency, number> = { usd: 100, cny: 500 }

/**
 * Splits `total` into promotional credit, balance and card. An earlier debt is charged to the card too, and the minimum
 * applies to the sum; below it the rest is owed until the next bill.
 */
export function splitPayment(total: Money, { promo, cash, mayRoll }: Means): PaymentSplit {
  const { currency } = total
  const nothing = money(0, currency)
  const credit = cash.minor < 0 ? money(-cash.minor, currency) : nothing
  const owed = cash.minor > 0 ? cash : nothing
  const fromPromo = smallerMoney(promo, total)
  const afterPromo = subtractMoney(total, fromPromo)
  const fromBalance = smallerMoney(credit, afterPromo)
  const due = subtractMoney(afterPromo, fromBalance)
  const split = { promo: fromPromo, balance: fromBalance, card: nothing, collected: nothing, rolled: nothing }
  if (due.minor === 0) return split
  const card = addMoney(due, owed)
  if (mayRoll && card.minor < cardMinimum[currency]) return { ...split, rolled: due }
  return { ...split, card, collected: owed }
}
