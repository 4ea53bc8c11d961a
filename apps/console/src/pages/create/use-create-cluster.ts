import { type CloudOrder, createCluster, type SelfHostOrder } from '@atoll/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { askAnew } from '../../api/ask-anew.ts'
import { isUnanswered } from '../../api/call-again.ts'
import { clustersQuery, queryKeys } from '../../api/queries.ts'
import { newRequestId } from '../../api/request-id.ts'
import { useCallAgain } from '../../api/use-call-again.ts'

export type CreateOrder = Omit<CloudOrder, 'requestId'> | Omit<SelfHostOrder, 'requestId'>

/**
 * Creates a cluster. While the line is cut the call is made again, and the same order pressed again after that keeps its key, so
 * it is created once; another order, or one that was refused, gets a new key. Ends when the list holds the new cluster, so that
 * its card is there at once, or could not be had: that is no failure of the order, and the list says so itself.
 */
export function useCreateCluster(userid: string) {
  const client = useQueryClient()
  const sent = useRef<{ order: string; requestId: string }>(undefined)
  const { send, trouble } = useCallAgain()
  const creation = useMutation({
    mutationFn: (order: CreateOrder) => {
      const text = JSON.stringify(order)
      if (sent.current?.order !== text) sent.current = { order: text, requestId: newRequestId() }
      return send(createCluster, { ...order, requestId: sent.current.requestId })
    },
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: queryKeys.clusters(userid) })
      await client.prefetchQuery({ ...clustersQuery(userid), staleTime: 0 })
      void askAnew({ queryKey: queryKeys.init(userid) })
    },
    onError: (error) => {
      // A refusal was an answer: what is sent next is a new request. A lost answer is not: the key finds it again.
      if (!isUnanswered(error)) sent.current = undefined
    },
  })
  return { ...creation, error: creation.error ?? trouble }
}
