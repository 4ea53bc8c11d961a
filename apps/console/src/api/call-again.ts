/**
 * Calls that carry a key of their request, so that the server does them once however often they arrive. A line that breaks and
 * a server that is started anew are waited out: for the person it is one press of one button.
 */
import type { Call, CallData, CallInput } from '@atoll/contract'
import { codes } from '@atoll/contract'
import { currentAccount } from '../accounts/account-store.ts'
import { CallFailure } from './call-failure.ts'
import { callApi } from './client.ts'

/**
 * ms from the first call to the last. A server that is updated has 20 s to stop and needs some to start; the page says meanwhile
 * that it cannot be reached.
 */
const patienceMs = 60_000
/** ms; doubled after each call up to the last. */
const pauses = { first: 300, last: 2000 }

/**
 * Makes `call` with a `body` that carries its key, and again until there is an answer; throws the last failure when there is
 * none in time, and at once what was refused. Nothing is sent in another account's name: then it fails without a word.
 */
export async function callAgain<C extends Call>(
  call: C,
  body: CallInput<C> & { requestId: string },
): Promise<CallData<C>> {
  const userid = currentAccount()?.userid
  const last = Date.now() + patienceMs
  for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.last)) {
    try {
      return await callApi(call, body)
    } catch (error) {
      if (!isUnanswered(error) || Date.now() + pause > last) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (currentAccount()?.userid !== userid) throw new CallFailure({ kind: 'silent', path: call.path })
  }
}

/** No answer came, or one that says to come again: whether the server did it is not known. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallFailure && (error.kind === 'network' || error.code === codes.unavailable)
}
