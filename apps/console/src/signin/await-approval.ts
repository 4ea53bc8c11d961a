/** Tells the server of a sign-in code and asks until it was approved. */
import { activeLogin, type CodeRefusal, logout, openCode, type SignedIn } from '@atoll/contract/accounts'
import { clockSkewMs, signInCodeLifetimeMs, signInPollMs } from '@atoll/contract/wire'
import { serverNow } from '../config/runtime-config.ts'
import { CallFailure } from '../data/call-failure.ts'
import { callApi } from '../data/client.ts'
import type { SignInCodeText } from './sign-in-code.ts'

/** A wallet's progress with the code, short of approving it. */
export type CodeNews = { scanned?: true | undefined; refused?: CodeRefusal | undefined }

interface ApprovalListener {
  /** The server knows the code; the two digits to show beside it. */
  onOpened: (matchNumber: string) => void
  onNews: (news: CodeNews) => void
  onApproved: (session: SignedIn) => void
  /** The last question's failure, or null once one was answered. */
  onFailure: (failure: CallFailure | null) => void
}

/**
 * Opens the code at once, then asks every 3 s, and at once when the page becomes visible again, until the code can no
 * longer be approved: an approval on its way at the last second still counts. `lifetimeMs`: of a code that the wallet
 * in this browser has. The returned function stops.
 */
export function awaitApproval(
  code: SignInCodeText,
  listener: ApprovalListener,
  lifetimeMs = signInCodeLifetimeMs,
): () => void {
  const stop = new AbortController()
  const lastChance = code.time + lifetimeMs + clockSkewMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let opened = false

  async function ask() {
    clearTimeout(timer)
    if (asking || stop.signal.aborted) return
    asking = true
    try {
      const { secret, browser, did } = code
      if (opened) {
        const answer = await callApi(activeLogin, { secret, browser }, stop.signal)
        if (stop.signal.aborted) return
        if (answer.userid === undefined) listener.onNews(answer)
        else if (did === undefined || answer.userid === did) return listener.onApproved(answer)
        else {
          // Somebody else's session, which the server should not have given: not kept, here or there.
          listener.onNews({ refused: 'otherDid' })
          await callApi(logout, {}, stop.signal, answer)
          return
        }
      } else {
        const { matchNumber } = await callApi(openCode, { secret, browser, ...(did && { did }) }, stop.signal)
        if (stop.signal.aborted) return
        opened = true
        listener.onOpened(matchNumber)
      }
      listener.onFailure(null)
    } catch (error) {
      if (stop.signal.aborted) return
      if (!(error instanceof CallFailure)) throw error
      listener.onFailure(error)
    } finally {
      asking = false
    }
    if (serverNow() < lastChance) timer = setTimeout(ask, signInPollMs)
  }

  const onVisible = () => {
    if (document.visibilityState === 'visible') void ask()
  }
  document.addEventListener('visibilitychange', onVisible)
  void ask()

  return () => {
    stop.abort()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
