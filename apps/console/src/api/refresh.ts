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

/** Asks again for everything of the account that is on the screen; questions under way start anew, theirs may be old. */
export function refreshAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) })
}

/** As `refreshAll`, but lets questions under way finish: a server that hangs must be seen to, not asked for ever. */
export function pollAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) }, { cancelRefetch: false })
}
