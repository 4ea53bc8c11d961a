import type { PaymentMethod } from '@atoll/contract/payments'

type Expiry = Pick<PaymentMethod, 'expMonth' | 'expYear'>

/** Its last month is this or the next one, at `now`, ms. */
export function expiresSoon({ expMonth, expYear }: Expiry, now: number): boolean {
  const today = new Date(now)
  const months = (expYear - today.getUTCFullYear()) * 12 + (expMonth - 1 - today.getUTCMonth())
  return months >= 0 && months <= 1
}
