import type { ChangeEvent } from '@atoll/contract'
import { queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what `change` touches. */
export function refreshChanged(userid: string, change: ChangeEvent): void {
  switch (change.topic) {
    case 'cluster':
      queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
      queryClient.invalidateQueries({ queryKey: queryKeys.details(userid, change.id) })
      return
    case 'metrics':
      queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
      return
    default:
      queryClient.invalidateQueries({ queryKey: queryKeys.init(userid) })
  }
}

/** Asks again for everything of the account that is on the screen. */
export function refreshAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) })
}
