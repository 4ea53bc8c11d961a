import type { Call, CallData, CallInput } from '@atoll/contract/wire'
import { useMutation } from '@tanstack/react-query'
import { useCurrentAccount } from '../session/account-store.ts'
import { askAnew } from './ask-anew.ts'
import type { Keyed } from './call-again.ts'
import { queryKeys } from './queries.ts'
import { type SameRequests, type Send, useCallAgain } from './use-call-again.ts'

/** What a call that changes something is sent with, besides what it is about and the key of the request. */
type Extra<C extends Call, T> = Omit<CallInput<C> & object, keyof T | 'requestId'>

export interface ChangeOptions<C extends Call> extends SameRequests {
  /** Before anything is asked for again; when it was asked for, this device's time, ms. */
  onAnswer?: (answer: CallData<C>, userid: string, askedAt: number) => Promise<void>
  /** What sends it instead, and then tells of the trouble too. */
  send?: Send | undefined
}

/**
 * Calls a change about `target`, an object with some of the call's fields, which belongs to the cluster `clusterId`;
 * then everything about that cluster is asked for again. While the line is cut the call is made again, and `error`
 * says why it takes so long, until there is an answer or `giveUp`: whoever says no after all must not be overheard.
 */
export function useChange<C extends Call, T extends object>(
  call: C,
  target: T,
  clusterId: string,
  { onAnswer, send: sendElsewhere, ...same }: ChangeOptions<C> = {},
) {
  const userid = useCurrentAccount()?.userid ?? ''
  const { send: sendHere, trouble, giveUp } = useCallAgain(same)
  const send = sendElsewhere ?? sendHere
  const change = useMutation({
    // `Extra` is by definition what `target` and the key leave open.
    mutationFn: (extra: Extra<C, T>) => send(call, { ...extra, ...target } as unknown as Keyed<C>),
    onMutate: () => Date.now(),
    onSuccess: async (answer, _extra, askedAt) => {
      await onAnswer?.(answer, userid, askedAt)
      await Promise.all([
        askAnew({ queryKey: queryKeys.clusters(userid) }),
        askAnew({ queryKey: queryKeys.details(userid, clusterId) }),
        askAnew({ queryKey: queryKeys.instances(userid) }),
      ])
    },
  })
  return {
    ...change,
    error: change.error ?? trouble,
    giveUp,
    reset() {
      giveUp()
      change.reset()
    },
  }
}
