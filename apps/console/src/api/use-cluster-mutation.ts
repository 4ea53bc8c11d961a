import type { Call, CallInput, ClusterStatus, Resource } from '@atoll/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentAccount } from '../accounts/account-store.ts'
import { callApi } from './client.ts'
import { queryKeys } from './queries.ts'
import { newRequestId } from './request-id.ts'

/** What a cluster action is called with, besides the cluster and the key of the request. */
type Extra<C extends Call> = Omit<CallInput<C> & object, 'clusterId' | 'requestId'>

/**
 * Calls an action of `cluster`. The answered status shows at once, and everything about the cluster is asked for again. The
 * key of the request stays until it succeeds, so that pressing again after a lost answer does it once.
 */
export function useClusterMutation<C extends Call>(call: C, cluster: Pick<Resource, 'clusterId'>) {
  const userid = useCurrentAccount()?.userid ?? ''
  const client = useQueryClient()
  const [requestId, setRequestId] = useState(newRequestId)
  const { clusterId } = cluster
  return useMutation({
    // The action calls share the fields clusterId and requestId; `Extra` is the rest of each.
    mutationFn: (extra: Extra<C>) => callApi(call, { ...extra, clusterId, requestId } as CallInput<C>),
    onSuccess: async (answer) => {
      setRequestId(newRequestId())
      const { status } = answer as { status: ClusterStatus }
      await client.cancelQueries({ queryKey: queryKeys.clusters(userid) })
      client.setQueryData<Resource[]>(queryKeys.clusters(userid), (clusters) =>
        clusters?.map((known) => (known.clusterId === clusterId ? { ...known, status, actions: [] } : known)),
      )
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.clusters(userid) }),
        client.invalidateQueries({ queryKey: queryKeys.details(userid, clusterId) }),
      ])
    },
  })
}
