import type { Call, CallData, ClusterStatus, Resource } from '@atoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from './queries.ts'
import type { Send } from './use-call-again.ts'
import { useChange } from './use-change.ts'

/** Calls an action of `cluster` as a whole. The answered status shows at once, and no action until it is asked for again. */
export function useClusterMutation<C extends Call>(
  call: C,
  { clusterId, status: state }: Pick<Resource, 'clusterId' | 'status'>,
  send?: Send,
) {
  const client = useQueryClient()
  async function onAnswer(answer: CallData<C>, userid: string) {
    const { status } = answer as { status: ClusterStatus }
    await client.cancelQueries({ queryKey: queryKeys.clusters(userid) })
    client.setQueryData<Resource[]>(queryKeys.clusters(userid), (clusters) =>
      clusters?.map((known) =>
        known.clusterId === clusterId ? { ...known, status, actions: [], refusals: {} } : known,
      ),
    )
  }
  return useChange(call, { clusterId }, clusterId, { onAnswer, send, state })
}
