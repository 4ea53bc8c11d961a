/**
 * Calls that carry a key of their request, so that the server does them once however often they arrive. A line that is
 * cut and a server that is started anew are waited out: for the person it is one press of one button.
 */
import { type Call, type CallData, type CallInput, codes } from '@atoll/contract/wire'
import { currentAccount } from '../session/account-store.ts'
import { CallFailure } from './call-failure.ts'
import { callApi } from './client.ts'

/** ms from the first call to the last: a server that is updated has 20 s to stop, and needs some to start. */
const patienceMs = 60_000
/** Whoever pressed hears of the trouble when it lasts this long, and that it goes on being tried, ms. */
const silentMs = 2000
/** ms; doubled after each call up to the last. */
const pauses = { first: 300, last: 2000 }

/** A call's body with the key of its request. */
export type Keyed<C extends Call> = CallInput<C> & { requestId: string }

/** Whoever waits for an answer. */
export interface Waiting {
  /** Hears why it takes longer. */
  onTrouble: (why: CallFailure) => void
  /** Nobody waits any more: what was not taken yet is wanted no more. */
  signal: AbortSignal
}

/**
 * Makes `call`, and again while the line is cut and somebody waits for it; throws the last failure when it stays so,
 * and at once whatever was answered (spec §8). Nothing is sent in another account's name: then it fails without a
 * word.
 */
export async function callAgain<C extends Call>(
  call: C,
  body: Keyed<C>,
  { onTrouble, signal }: Waiting,
): Promise<CallData<C>> {
  const userid = currentAccount()?.userid
  const begun = Date.now()
  for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.last)) {
    try {
      return await callApi(call, body)
    } catch (error) {
      if (!isCut(error) || Date.now() + pause > begun + patienceMs) throw error
      if (Date.now() - begun >= silentMs) onTrouble(error)
      await waitAtMost(pause, signal)
      if (signal.aborted) throw error
    }
    if (currentAccount()?.userid !== userid) throw new CallFailure({ kind: 'silent', path: call.path })
  }
}

function waitAtMost(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/**
 * HTTP statuses with which a proxy says that its server is not there, hung up or took too long: our server answers 200
 * or 500.
 */
const fromProxy: ReadonlySet<number | undefined> = new Set([502, 503, 504])

/** Nothing was answered, or nothing by the server itself. */
function isCut(error: unknown): error is CallFailure {
  if (!(error instanceof CallFailure) || error.kind !== 'network') return false
  return error.status === undefined || fromProxy.has(error.status)
}

/** Whether the server did it is not known: nothing usable was answered, or to come again. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallFailure && (error.kind === 'network' || error.code === codes.unavailable)
}
