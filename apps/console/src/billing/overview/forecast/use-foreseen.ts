import type { forecast, upcomingInvoice } from '@atoll/contract/billing'
import type { CallData, CallRequest } from '@atoll/contract/wire'
import type { UseQueryOptions } from '@tanstack/react-query'
import { useCall } from '../../../data/use-call.ts'
import { useCustomer } from '../../shared/use-customer.ts'

/**
 * The forecast, live; while the account's clock is on its way, the one before. Each answer is months played through,
 * under the lock that the clock needs for its next step, after which it would be old.
 */
export function useForeseen<C extends typeof forecast | typeof upcomingInvoice>(
  call: C,
  body: CallRequest<C>,
  options: Pick<UseQueryOptions<CallData<C>>, 'placeholderData'> = {},
) {
  const isMoving = useCustomer()?.travel?.stoppedBefore.length === 0
  return useCall(call, body, { ...options, enabled: ({ state }) => !isMoving || state.data === undefined })
}
