import type { ClusterStatus, Resource } from '@atoll/contract/clusters'
import type { Call, CallData } from '@atoll/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../data/queries.ts'
import type { Send } from '../data/use-call-again.ts'
import { useChange } from '../data/use-change.ts'

/**
 * Calls an action of `cluster` as a whole. The answered status shows at once, and no action until it is asked for
 * again; not when the list was answered meanwhile: that may know of more than an answer that comes late.
 */
export function useClusterMutation<C extends Call>(
  call: C,
  { clusterId, status: state }: Pick<Resource, 'clusterId' | 'status'>,
  send?: Send,
) {
  const client = useQueryClient()
  async function onAnswer(answer: CallData<C>, userid: string, askedAt: number) {
    const { status } = answer as { status: ClusterStatus }
    const list = queryKeys.clusters(userid)
    if ((client.getQueryState(list)?.dataUpdatedAt ?? 0) > askedAt) return
    await client.cancelQueries({ queryKey: list })
    client.setQueryData<Resource[]>(list, (clusters) =>
      clusters?.map((known) =>
        known.clusterId === clusterId ? { ...known, status, actions: [], refusals: {} } : known,
      ),
    )
  }
  return useChange(call, { clusterId }, clusterId, { onAnswer, send, state })
}
