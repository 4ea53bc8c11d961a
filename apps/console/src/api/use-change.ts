import type { Call, CallData, CallInput } from '@atoll/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentAccount } from '../accounts/account-store.ts'
import { callApi } from './client.ts'
import { queryKeys } from './queries.ts'
import { newRequestId } from './request-id.ts'

/** What a call that changes something is sent with, besides what it is about and the key of the request. */
type Extra<C extends Call, T> = Omit<CallInput<C> & object, keyof T | 'requestId'>

/**
 * Calls a change about `target`, an object with some of the call's fields, which belongs to the cluster `clusterId`; then
 * everything about that cluster is asked for again. The key of the request stays until it succeeds, so that pressing again
 * after a lost answer does it once.
 */
export function useChange<C extends Call, T extends object>(
  call: C,
  target: T,
  clusterId: string,
  onAnswer?: (answer: CallData<C>, userid: string) => Promise<void>,
) {
  const userid = useCurrentAccount()?.userid ?? ''
  const client = useQueryClient()
  const [requestId, setRequestId] = useState(newRequestId)
  return useMutation({
    // `Extra` is by definition what `target` and the key leave open.
    mutationFn: (extra: Extra<C, T>) => callApi(call, { ...extra, ...target, requestId } as unknown as CallInput<C>),
    onSuccess: async (answer) => {
      setRequestId(newRequestId())
      await onAnswer?.(answer, userid)
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.clusters(userid) }),
        client.invalidateQueries({ queryKey: queryKeys.details(userid, clusterId) }),
        client.invalidateQueries({ queryKey: queryKeys.instances(userid) }),
      ])
    },
  })
}
