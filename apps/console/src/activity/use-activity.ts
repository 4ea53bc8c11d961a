import { type AuditFilter, auditPage } from '@atoll/contract/audit'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../data/use-call.ts'
import { periodStart } from '../kit/table/use-period-filter.ts'
import type { ActivitySearch } from './activity-search.ts'

/** The body of the server's call for a search at `now`, ms. */
export function filterOf({ kind, actor, object, days }: ActivitySearch, now: number): AuditFilter {
  return {
    ...(kind && { kind }),
    ...(actor && { actor }),
    ...(object && { object }),
    ...(days && { from: periodStart(days, now) }),
  }
}

/** One page of the log, read again whenever something of the account changes; the page before stays meanwhile. */
export function useActivity(search: ActivitySearch) {
  // 'The last week' stays the one before the page was opened: else each drawing would ask something else.
  const [openedAt] = useState(Date.now)
  const body = { ...filterOf(search, openedAt), page: search.page ?? 1 }
  return useCall(auditPage, body, { placeholderData: keepPreviousData })
}
