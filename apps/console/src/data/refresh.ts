import type { Resource } from '@atoll/contract/clusters'
import { type ChangeEvent, codes } from '@atoll/contract/wire'
import { askAgain } from './ask-again.ts'
import { askAnew } from './ask-anew.ts'
import { isUnanswered } from './call-again.ts'
import { CallFailure } from './call-failure.ts'
import { queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what `change` touches. */
export function refreshChanged(userid: string, change: ChangeEvent): void {
  void askAgain(queryKeys.activity(userid))
  switch (change.topic) {
    case 'cluster':
      void askAgain(queryKeys.clusters(userid), () => refreshClusters(userid))
      void askAgain(queryKeys.details(userid, change.id))
      void askAgain(queryKeys.activation(userid, change.id))
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
      void refreshAll(userid)
  }
}

/**
 * Asks for the clusters; when they have more or fewer cores than before, how much of the quota is used changed too.
 */
async function refreshClusters(userid: string): Promise<void> {
  const cores = () =>
    queryClient
      .getQueryData<Resource[]>(queryKeys.clusters(userid))
      ?.reduce((sum, cluster) => sum + cluster.cpuCoreTotalCount, 0)
  const before = cores()
  // The first list comes with an answer that is older than the change.
  if (before === undefined) await askAnew({ queryKey: queryKeys.init(userid) })
  await askAnew({ queryKey: queryKeys.clusters(userid) })
  if (before !== undefined && cores() !== before) await askAnew({ queryKey: queryKeys.init(userid) })
}

/**
 * Asks again for everything of the account that is on the screen; questions under way start anew, theirs may be old.
 */
export async function refreshAll(userid: string): Promise<void> {
  const hadList = queryClient.getQueryData(queryKeys.clusters(userid)) !== undefined
  await askAnew({ queryKey: queryKeys.account(userid) })
  // What was not there yet came with the first answer meanwhile.
  if (!hadList) await askAnew({ queryKey: queryKeys.clusters(userid) })
}

/** Asks again for what was asked for in vain: whoever knows of every change need not ask for the rest. */
export function refreshFailed(userid: string): void {
  queryClient.invalidateQueries({
    queryKey: queryKeys.account(userid),
    predicate: ({ state }) => state.status === 'error' || state.isInvalidated || state.fetchFailureCount > 0,
  })
}

/**
 * Asks again for what is shown although the server could not answer for it when it changed: maybe nothing changes any
 * more that would have it asked for. What could not be shown at all says so, and is asked for by the person.
 */
export function refreshOutdated(userid: string): void {
  queryClient.invalidateQueries({
    queryKey: queryKeys.account(userid),
    predicate: ({ state: { error, data, fetchStatus } }) =>
      data !== undefined && fetchStatus === 'idle' && (isUnanswered(error) || isServerError(error)),
  })
}

function isServerError(error: Error | null): boolean {
  return error instanceof CallFailure && error.code === codes.serverError
}

/** As `refreshAll`, but lets questions under way finish: a server that hangs must be seen to, not asked for ever. */
export function pollAll(userid: string): void {
  queryClient.invalidateQueries({ queryKey: queryKeys.account(userid) }, { cancelRefetch: false })
}
