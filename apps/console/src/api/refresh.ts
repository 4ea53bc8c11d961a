import type { ChangeEvent, Resource } from '@atoll/contract'
import { queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what `change` touches. */
export function refreshChanged(userid: string, change: ChangeEvent): void {
  // A question under way is not begun anew: an install alone brings many changes.
  queryClient.invalidateQueries({ queryKey: queryKeys.activity(userid) }, { cancelRefetch: false })
  switch (change.topic) {
    case 'cluster':
      void refreshClusters(userid)
      queryClient.invalidateQueries({ queryKey: queryKeys.details(userid, change.id) })
      queryClient.invalidateQueries({ queryKey: queryKeys.instances(userid) })
      return
    case 'metrics':
      queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
      // The instances of whichever cluster is on the screen: each measures itself.
      queryClient.invalidateQueries({ queryKey: queryKeys.allDetails(userid) })
      queryClient.invalidateQueries({ queryKey: queryKeys.instances(userid) })
      return
    // The account: what it may see may have changed too.
    default:
      refreshAll(userid)
  }
}

/** Asks for the clusters; when they have more or fewer cores than before, how much of the quota is used changed too. */
async function refreshClusters(userid: string): Promise<void> {
  const cores = () =>
    queryClient
      .getQueryData<Resource[]>(queryKeys.clusters(userid))
      ?.reduce((sum, cluster) => sum + cluster.cpuCoreTotalCount, 0)
  const before = cores()
  await queryClient.invalidateQueries({ queryKey: queryKeys.clusters(userid) })
  if (cores() !== before) await queryClient.invalidateQueries({ queryKey: queryKeys.init(userid) })
}

/** Asks again for everything of the account that is on the screen; questions under way start anew, theirs may be old. */
export function refreshAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) })
}

/** Asks again for what was asked for in vain: whoever knows of every change need not ask for the rest. */
export function refreshFailed(userid: string): void {
  queryClient.invalidateQueries({
    queryKey: queryKeys.account(userid),
    predicate: ({ state }) => state.status === 'error' || state.isInvalidated || state.fetchFailureCount > 0,
  })
}

/** As `refreshAll`, but lets questions under way finish: a server that hangs must be seen to, not asked for ever. */
export function pollAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) }, { cancelRefetch: false })
}
