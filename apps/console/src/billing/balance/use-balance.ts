import { balancePage } from '@atoll/contract/billing'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '../../data/use-call.ts'
import type { balanceSearch } from './balance-search.ts'

/** One page of the records, live; the page before stays meanwhile. */
export function useBalance({ of, page = 1 }: ReturnType<typeof balanceSearch>) {
  return useCall(balancePage, { ...(of && { of }), page }, { placeholderData: keepPreviousData })
}
