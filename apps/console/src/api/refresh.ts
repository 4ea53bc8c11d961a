import type { ChangeEvent, Resource } from '@atoll/contract'
import { askAgain } from './ask-again.ts'
import { queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what `change` touches. */
export function refreshChanged(userid: string, change: ChangeEvent): void {
  void askAgain(queryKeys.activity(userid))
  switch (change.topic) {
    case 'cluster':
      void askAgain(queryKeys.clusters(userid), () => refreshClusters(userid))
      void askAgain(queryKeys.details(userid, change.id))
      void askAgain(queryKeys.instances(userid))
      return
    case 'metrics':
      void askAgain(queryKeys.clusters(userid), () => refreshClusters(userid))
      // The instances of whichever cluster is on the screen: each measures itself.
      void askAgain(queryKeys.allDetails(userid))
      void askAgain(queryKeys.instances(userid))
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
