import { type CustomerInfo, customerInfo } from '@atoll/contract/billing'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useFirstIdle } from '../../kit/browser/first-idle.tsx'
import { useNow } from '../../kit/browser/use-now.ts'
import { type AccountZone, zoneOffsetMs } from '../../kit/format/billing-dates.ts'

/** The account's currency, money and debts, live; undefined until the first answer. */
export function useCustomer(): CustomerInfo | undefined {
  return useCall(customerInfo, {}).data
}

/** The same, asked once the first page stands: for what every page says of a bill that is past due. */
export function useCustomerWhenIdle(): CustomerInfo | undefined {
  return useCall(customerInfo, {}, { enabled: useFirstIdle() }).data
}

/** In which zone an account's dates are written; UTC where nobody knows it, or it is not known yet. */
export function zoneOf(customer: CustomerInfo | undefined): AccountZone {
  return customer && Object.hasOwn(zoneOffsetMs, customer.zone) ? customer.zone : 'UTC'
}

/** In which zone the account's dates are written. */
export function useZone(): AccountZone {
  return zoneOf(useCustomer())
}

/**
 * Now on the account's clock, ms: the wall's, and what a sandbox account moved it forward. Money's times are on it.
 * `everyMs`: how often it is read again.
 */
export function useAccountNow(everyMs?: number): number {
  useNow(everyMs)
  return serverNow() + (useCustomer()?.clockOffset ?? 0)
}
