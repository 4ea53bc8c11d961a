/**
 * Keeps what is on the screen true. While the event stream is open a change is fetched as soon as the server publishes
 * it; while it is not, everything shown is invalidated every few seconds. Both end in the same queries.
 *
 * connecting ──hello──▶ live ──end, error, silence──▶ waiting (backoff) ──▶ connecting …; back online or visible: at
 * once.
 *
 * Every event has a number. A stream that is opened again names the last one it saw and gets all that came after
 * it; only when the server does not know that any more is everything invalidated.
 */
import { backoffMs, type ChangeEvent } from '@atoll/contract/wire'
import type { Account } from '../../session/account.ts'
import { readEventStream, StreamSignedOut } from './event-stream.ts'

const backoff = { firstMs: 500, longestMs: 20_000 }
/**
 * The longest while the tab is visible and the server does not answer, ms: everything is fetched as often then, and a
 * server that has restarted publishes changes at once again. A stream that is opened and cut gets the long one:
 * opening it costs more.
 */
const lastWhileSeenMs = 3000
/** A stream that held this long was a good one: after it the backoff starts over, ms. */
const goodStreamMs = 10_000
/** How often everything is asked for while the stream is down, ms. */
const pollMs = 3000
/**
 * The server gives a sign of life every 15 s. A connection that gave none for this long died without a word, as when
 * the device slept; ms.
 */
const silenceMs = 40_000

export interface LiveChangesOptions {
  account: Account
  onChange: (change: ChangeEvent) => void
  /** The stream is open, and whatever was asked before may have missed a change. */
  onHello: () => void
  /** The stream is open again and sends what was missed; only what could not be fetched meanwhile is left to fetch. */
  onResumed: () => void
  /** The stream is down: time to ask for everything again. */
  onPoll: () => void
  /** The stream is open: time to retry what failed. */
  onTick: () => void
  onSignedOut: () => void
}

/** Starts; the returned function stops and closes the connection. */
export function followChanges(options: LiveChangesOptions): () => void {
  let stopped = false
  let wake: (() => void) | undefined
  let live = false
  /** The number of the last event that was passed on. */
  let lastId: string | undefined
  let connection = new AbortController()
  let lastSign = Date.now()
  const poll = setInterval(() => {
    endIfSilent()
    if (document.visibilityState !== 'visible') return
    if (live) options.onTick()
    else options.onPoll()
  }, pollMs)

  function endIfSilent(): void {
    if (live && Date.now() - lastSign > silenceMs) connection.abort()
  }

  async function read(): Promise<void> {
    connection = new AbortController()
    lastSign = Date.now()
    await readEventStream({
      account: options.account,
      signal: connection.signal,
      lastId,
      onSign() {
        lastSign = Date.now()
      },
      onChange(change, id) {
        if (change.topic !== 'hello') options.onChange(change)
        else {
          live = true
          // A server that numbers nothing says nothing of `resync` either.
          if (change.resync === false) options.onResumed()
          else options.onHello()
        }
        lastId = id ?? lastId
      },
    })
  }

  async function run() {
    let failures = 0
    while (!stopped) {
      const openedAt = Date.now()
      try {
        await read()
      } catch (error) {
        if (error instanceof StreamSignedOut) return options.onSignedOut()
        // Anything else is a connection that failed or ended: polling covers it until the next try.
      }
      const wasOpen = live
      live = false
      if (stopped) return
      failures = wasOpen && Date.now() - openedAt > goodStreamMs ? 1 : failures + 1
      const isWaitedFor = !wasOpen && document.visibilityState === 'visible'
      await waitAtMost(backoffMs(failures, isWaitedFor ? { ...backoff, longestMs: lastWhileSeenMs } : backoff))
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
    if (document.visibilityState !== 'visible') return
    endIfSilent()
    wakeNow()
  }
  addEventListener('online', wakeNow)
  document.addEventListener('visibilitychange', onVisible)
  void run()

  return () => {
    stopped = true
    connection.abort()
    wakeNow()
    clearInterval(poll)
    removeEventListener('online', wakeNow)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
