import type { ChangeEvent, Resource } from '@atoll/contract'
import { queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what `change` touches. */
export function refreshChanged(userid: string, change: ChangeEvent): void {
  switch (change.topic) {
    case 'cluster':
      void refreshClusters(userid)
      queryClient.invalidateQueries({ queryKey: queryKeys.details(userid, change.id) })
      return
    case 'metrics':
      queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
      return
    default:
      queryClient.invalidateQueries({ queryKey: queryKeys.init(userid) })
  }
}

/** Asks for the clusters; one more or one less also changes how much of the quota is used. */
async function refreshClusters(userid: string): Promise<void> {
  const count = () => queryClient.getQueryData<Resource[]>(queryKeys.clusters(userid))?.length
  const before = count()
  await queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
  if (count() !== before) await queryClient.invalidateQueries({ queryKey: queryKeys.init(userid) })
}

/** Asks again for everything of the account that is on the screen; questions under way start anew, theirs may be old. */
export function refreshAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) })
}

/** As `refreshAll`, but lets questions under way finish: a server that hangs must be seen to, not asked for ever. */
export function pollAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) }, { cancelRefetch: false })
}
