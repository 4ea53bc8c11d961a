import { type AuditFilter, auditPage } from '@atoll/contract/audit'
import { keepPreviousData } from '@tanstack/react-query'
import { callApi } from '../data/client.ts'
import { queryKeys } from '../data/queries.ts'
import { useLoad } from '../data/use-load.ts'
import type { ActivitySearch } from './activity-search.ts'

const dayMs = 24 * 60 * 60_000

/** What is asked of the server for a search at `now`, ms. */
export function filterOf({ kind, actor, object, days }: ActivitySearch, now: number): AuditFilter {
  return {
    ...(kind && { kind }),
    ...(actor && { actor }),
    ...(object && { object }),
    ...(days && { from: new Date(now - days * dayMs).toISOString() }),
  }
}

/** One page of the log, asked for again whenever something of the account changes; the page before stays meanwhile. */
export function useActivity(userid: string, search: ActivitySearch) {
  return useLoad({
    queryKey: [...queryKeys.activity(userid), search],
    queryFn: ({ signal }) => callApi(auditPage, { ...filterOf(search, Date.now()), page: search.page ?? 1 }, signal),
    placeholderData: keepPreviousData,
  })
}
