/**
 * Keeps what is on the screen true. While the event stream is open a change is asked for as soon as the server tells of it;
 * while it is not, everything shown is asked for again every few seconds. Both end in the same queries.
 *
 * connecting ──hello──▶ live ──end, error──▶ waiting (backoff) ──▶ connecting …; back online or visible: at once.
 */
import type { ChangeEvent } from '@atoll/contract'
import type { Account } from '../accounts/account.ts'
import { readEventStream, StreamSignedOut } from './event-stream.ts'

/** ms; doubled after each failure up to the last, with up to a quarter of chance. */
const backoff = { first: 500, last: 20_000 }
/** A stream that held this long was a good one: after it the backoff begins anew, ms. */
const goodStreamMs = 10_000
/** How often everything is asked for while the stream is down, ms. */
const pollMs = 3000

export interface LiveChangesOptions {
  account: Account
  onChange: (change: ChangeEvent) => void
  /** The stream is open: whatever was asked before may have missed a change. */
  onHello: () => void
  /** The stream is down: time to ask for everything again. */
  onPoll: () => void
  onSignedOut: () => void
}

/** Starts; the returned function stops and closes the connection. */
export function followChanges(options: LiveChangesOptions): () => void {
  const stop = new AbortController()
  let wake: (() => void) | undefined
  const poll = setInterval(() => {
    if (!live && document.visibilityState === 'visible') options.onPoll()
  }, pollMs)
  let live = false

  async function run() {
    let delay = backoff.first
    while (!stop.signal.aborted) {
      const openedAt = Date.now()
      try {
        await readEventStream(options.account, stop.signal, (change) => {
          if (change.topic !== 'hello') return options.onChange(change)
          live = true
          options.onHello()
        })
      } catch (error) {
        if (error instanceof StreamSignedOut) return options.onSignedOut()
        // Anything else is a connection that failed or ended: polling covers it until the next try.
      }
      live = false
      if (stop.signal.aborted) return
      if (Date.now() - openedAt > goodStreamMs) delay = backoff.first
      await waitAtMost(delay + Math.random() * delay * 0.25)
      delay = Math.min(delay * 2, backoff.last)
    }
  }

  function waitAtMost(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  const wakeNow = () => wake?.()
  const onVisible = () => {
    if (document.visibilityState === 'visible') wakeNow()
  }
  addEventListener('online', wakeNow)
  document.addEventListener('visibilitychange', onVisible)
  void run()

  return () => {
    stop.abort()
    wakeNow()
    clearInterval(poll)
    removeEventListener('online', wakeNow)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
