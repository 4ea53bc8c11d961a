/**
 * The request of a pressed button. A call that carries a key of its request is retried while the line is cut or the
 * server restarts, so that one press is one request. Pressed again before it is known whether the server did it, it is
 * still the same request.
 */
import {
  backoffMs,
  type Call,
  type CallData,
  type CallInput,
  type CallRequest,
  takesRequestId,
} from '@atoll/contract/wire'
import type { MutationOptions } from '@tanstack/react-query'
import { currentAccount } from '../session/account-store.ts'
import { CallFailure, isCut, isSilent, isUnanswered } from './call-failure.ts'
import { callApi } from './client.ts'
import { invalidateOwn } from './invalidate.ts'
import { queryClient } from './query-client.ts'
import { showFailure, showToast } from './show-toast.ts'

/** ms from the first try to the last: a server that is updated has 20 s to stop, and needs some to start. */
const patienceMs = 60_000
/** The time until a lasting failure is shown to the person, and that it is being retried, ms. */
export const silentMs = 2000
const backoff = { firstMs: 300, longestMs: 2000 }

export interface Press<C extends Call> {
  userid: string
  body: CallRequest<C>
  /** Undefined for a call without one: it is tried once. */
  requestId: string | undefined
  /** Ends when nobody waits any more: it is not tried again. A request sent before may have been done. */
  patience: AbortController
  begunAt: number
  /** Why the last try failed. */
  trouble?: unknown
  closeToast?: () => void
}

export interface Presses<C extends Call> {
  mutation: MutationOptions<CallData<C>, Error, Press<C>>
  /** The variables to start the mutation with; undefined: the same is under way, and shown in a toast of its own. */
  begin(body: CallRequest<C>): Press<C> | undefined
  giveUp(): void
  /** The component is gone: nobody waits, unless failures are shown in toasts. */
  leave(): void
  /** An unanswered request was done or is past: pressed again, it is another request. */
  forget(): void
}

/** The presses of one button. `toast`: failures are shown in toasts, and leaving the page gives nothing up. */
export function createPresses<C extends Call>(call: C, toast: boolean): Presses<C> {
  const mutationKey = [call.name]
  const isKeyed = takesRequestId(call)
  let last: Press<C> | undefined
  let unanswered: { text: string; requestId: string } | undefined
  let hasLeft = false

  return {
    mutation: {
      mutationKey,
      mutationFn: (press) => send(call, press),
      retry(_failures, error) {
        if (!isKeyed || !isCut(error) || !last || last.patience.signal.aborted) return false
        const elapsed = Date.now() - last.begunAt
        if (toast && elapsed >= silentMs) showTrouble(last, error)
        return elapsed < patienceMs
      },
      retryDelay: (failures) => backoffMs(failures + 1, backoff),
      async onSuccess(_answer, { userid }) {
        unanswered = undefined
        await invalidateOwn(userid, call.topics)
      },
      onError(error, { userid, patience }) {
        if (toast ? !patience.signal.aborted : hasLeft) showFailure(error)
        // Signed out meanwhile, it says nothing of a try before that was not answered.
        if (isSilent(error)) return
        if (!isUnanswered(error)) unanswered = undefined
        // A refused request may have changed something too: one try less, or an object that is gone.
        void invalidateOwn(userid, call.topics)
      },
      onSettled: (_answer, _error, { closeToast }) => closeToast?.(),
    },
    begin(body) {
      const userid = currentAccount()?.userid ?? ''
      const text = JSON.stringify([userid, body])
      if (toast && isUnderWay(mutationKey, text)) return undefined
      if (unanswered?.text !== text) unanswered = { text, requestId: newRequestId() }
      const requestId = isKeyed ? unanswered.requestId : undefined
      last = { userid, body, requestId, patience: new AbortController(), begunAt: Date.now() }
      hasLeft = false
      return last
    },
    giveUp: () => last?.patience.abort(),
    leave() {
      hasLeft = true
      if (!toast) last?.patience.abort()
    },
    forget() {
      unanswered = undefined
    },
  }
}

/** One try. */
async function send<C extends Call>(call: C, press: Press<C>): Promise<CallData<C>> {
  const { userid, body, requestId, patience, trouble } = press
  if (patience.signal.aborted && trouble) throw trouble
  // Nothing is sent in another account's name.
  if ((currentAccount()?.userid ?? '') !== userid) throw new CallFailure({ kind: 'silent', path: call.path })
  try {
    // With its key it is again what the contract asks for.
    return await callApi(call, { ...body, ...(requestId && { requestId }) } as CallInput<C>)
  } catch (error) {
    press.trouble = error
    throw error
  }
}

/** Tells in a toast, once, why it takes so long; closing that gives the request up. */
function showTrouble(press: Press<Call>, { message }: Error): void {
  press.closeToast ??= showToast({ kind: 'failure', text: message, onClose: () => press.patience.abort() })
}

/** The same was pressed before, maybe elsewhere, and is not answered yet. */
function isUnderWay(mutationKey: string[], text: string): boolean {
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .some(({ state }) => {
      const { userid, body } = state.variables as Press<Call> // what every mutation with a call's name is started with
      return JSON.stringify([userid, body]) === text
    })
}

/** A fresh key of a request. Not `crypto.randomUUID`: pages on plain http of another host have none. */
function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
