/** The card numbers that the sandbox takes, and what each is known for. No other number is one of its cards. */
import type { DeclineCode } from '@atoll/contract/payments'

/**
 * `asks`: the customer has to confirm each charge on the 3-DS page. `disputed`: it pays, and disputes what it paid at
 * once. `unrefundable`: it pays, and what goes back to it comes back later.
 */
export type Charging = 'pays' | 'declines' | 'asks' | 'disputed' | 'unrefundable'

export interface TestNumber {
  number: string
  brand: 'visa' | 'mastercard'
  /** How adding it ends: with this decline, or with a card that behaves so. */
  adding: { declined: DeclineCode } | { charging: Charging }
}

export const testNumbers: readonly TestNumber[] = [
  { number: '4242424242424242', brand: 'visa', adding: { charging: 'pays' } },
  { number: '5555555555554444', brand: 'mastercard', adding: { charging: 'pays' } },
  { number: '4000000000000002', brand: 'visa', adding: { declined: 'cardDeclined' } },
  { number: '4000000000009995', brand: 'visa', adding: { declined: 'cardFundsLacking' } },
  { number: '4000000000000069', brand: 'visa', adding: { declined: 'cardExpired' } },
  { number: '4000000000000341', brand: 'visa', adding: { charging: 'declines' } },
  { number: '4000000000003220', brand: 'visa', adding: { charging: 'asks' } },
  { number: '4000000000000259', brand: 'visa', adding: { charging: 'disputed' } },
  { number: '4000000000005126', brand: 'visa', adding: { charging: 'unrefundable' } },
]
