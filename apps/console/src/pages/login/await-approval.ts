/** Asks the server until a sign-in code was approved. */
import { activeLogin, clockSkewMs, SignedIn, signInCodeLifetimeMs, signInPollMs } from '@atoll/contract'
import { CallFailure } from '../../api/call-failure.ts'
import { callApi } from '../../api/client.ts'
import { serverNow } from '../../config/runtime-config.ts'
import type { SignInCodeText } from './sign-in-code.ts'

interface ApprovalListener {
  onApproved: (session: SignedIn) => void
  /** The last question's failure, or null once one was answered. */
  onFailure: (failure: CallFailure | null) => void
}

/**
 * Asks every 3 s, and at once when the page becomes visible again, until the code can no longer be approved: an approval on
 * its way at the last second still counts. The returned function stops.
 */
export function awaitApproval(code: SignInCodeText, listener: ApprovalListener): () => void {
  const stop = new AbortController()
  const lastChance = code.time + signInCodeLifetimeMs + clockSkewMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false

  async function ask() {
    clearTimeout(timer)
    if (asking || stop.signal.aborted) return
    asking = true
    try {
      const answer = await callApi(activeLogin, { secret: code.secret }, stop.signal)
      if (stop.signal.aborted) return
      listener.onFailure(null)
      const session = SignedIn.safeParse(answer).data
      if (session) return listener.onApproved(session)
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
  timer = setTimeout(ask, signInPollMs)

  return () => {
    stop.abort()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
