/**
 * The console's one way to change something: `const rename = useCallMutation(clusterRename)`, then `rename.mutate({
 * clusterId, name })`. Queries of the call's topics are invalidated before `onSuccess`.
 */
import type { Call, CallData, CallRequest } from '@atoll/contract/wire'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPresses, silentMs } from './presses.ts'

export interface CallMutationOptions<C extends Call> {
  /**
   * Failures are shown in toasts: the component has no place for them, or is gone before the answer. Leaving does not
   * give the request up then; closing the toast that shows the trouble does.
   */
  toast?: boolean
  /** The object's state. When it changes, an unanswered request was done or is past. */
  state?: string
  /** Also when the component is gone. */
  onSuccess?: (answer: CallData<C>) => void
}

/** Heard while the component is there. */
export interface MutateOptions<C extends Call> {
  onSuccess?: (answer: CallData<C>) => void
  onError?: (error: Error) => void
}

export interface CallMutation<C extends Call> {
  mutate: (body: CallRequest<C>, options?: MutateOptions<C>) => void
  isPending: boolean
  isSuccess: boolean
  /** Why it failed, or why it takes so long while it is retried. */
  error: Error | null
  /** The person canceled it: it is not retried. A request sent before may have been done. */
  giveUp: () => void
  /** Gives up, and forgets how the last press ended. */
  reset: () => void
}

/** Calls `call` as the current account, once a press (`presses.ts`). */
export function useCallMutation<C extends Call>(
  call: C,
  { toast = false, state, onSuccess }: CallMutationOptions<C> = {},
): CallMutation<C> {
  const [presses] = useState(() => createPresses(call, toast))
  const mutation = useMutation({
    ...presses.mutation,
    async onSuccess(answer, ...rest) {
      await presses.mutation.onSuccess?.(answer, ...rest)
      onSuccess?.(answer)
    },
  })
  useEffect(() => () => presses.leave(), [presses])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of state that makes it another request
  useEffect(() => presses.forget(), [presses, state])

  const isTroubled = mutation.isPending && Date.now() - mutation.submittedAt >= silentMs
  return {
    mutate(body, options = {}) {
      const press = presses.begin(body)
      if (press) mutation.mutate(press, options)
    },
    isPending: mutation.isPending,
    isSuccess: mutation.isSuccess,
    error: mutation.error ?? (isTroubled ? mutation.failureReason : null),
    giveUp: presses.giveUp,
    reset() {
      presses.giveUp()
      mutation.reset()
    },
  }
}
