import type { PaymentMethod } from '@atoll/contract/payments'

type Expiry = Pick<PaymentMethod, 'expMonth' | 'expYear'>

/** `08/2028`. */
export function cardExpiry({ expMonth, expYear }: Expiry): string {
  return `${String(expMonth).padStart(2, '0')}/${expYear}`
}

/** Whether it can still be charged at `time`, ms: it is good until the end of its month. */
export function isGoodAt({ expMonth, expYear }: Expiry, time: number): boolean {
  return time < Date.UTC(expYear, expMonth, 1)
}
