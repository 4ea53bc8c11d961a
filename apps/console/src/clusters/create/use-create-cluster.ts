import { type CloudOrder, createCluster, type SelfHostOrder } from '@atoll/contract/clusters'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askAnew } from '../../data/ask-anew.ts'
import { clustersQuery, queryKeys } from '../../data/queries.ts'
import { useCallAgain } from '../../data/use-call-again.ts'

export type CreateOrder = Omit<CloudOrder, 'requestId'> | Omit<SelfHostOrder, 'requestId'>

/**
 * Creates a cluster, once however often the same order is pressed while it is not known whether it was taken. Ends
 * when the list holds the new cluster, so that its card is there at once, or could not be had: that is no failure of
 * the order, and the list says so itself.
 */
export function useCreateCluster(userid: string) {
  const client = useQueryClient()
  const { send, trouble } = useCallAgain()
  const creation = useMutation({
    mutationFn: (order: CreateOrder) => send(createCluster, order),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: queryKeys.clusters(userid) })
      await client.prefetchQuery({ ...clustersQuery(userid), staleTime: 0 })
      void askAnew({ queryKey: queryKeys.init(userid) })
    },
  })
  return { ...creation, error: creation.error ?? trouble }
}
