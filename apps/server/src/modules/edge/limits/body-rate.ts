import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'

/** The least that a body brings: so many bytes a second over each window; 0 asks for nothing. */
export interface BodyRate {
  bytesPerSecond: number
  windowMs: number
}

/**
 * Calls `onSlow`, once, when `req`'s body brings less than `rate` in a window. A window restarts when `to` accepts data
 * again: while it accepts none, nothing is read, and the visitor is not the slow one. Ends with the body, or when the
 * returned function is called.
 */
export function watchBody(req: IncomingMessage, to: Writable, rate: BodyRate, onSlow: () => void): () => void {
  const { bytesPerSecond, windowMs } = rate
  if (bytesPerSecond === 0) return () => undefined
  let received = 0
  const window = setInterval(() => {
    if (received < (bytesPerSecond * windowMs) / 1000 && !to.writableNeedDrain) {
      stop()
      onSlow()
    }
    received = 0
  }, windowMs)
  const count = (chunk: Buffer) => {
    received += chunk.length
  }
  const restart = () => {
    received = 0
    window.refresh()
  }
  function stop(): void {
    clearInterval(window)
    req.off('data', count)
    to.off('drain', restart)
  }
  req.on('data', count)
  req.once('end', stop)
  req.once('close', stop)
  to.on('drain', restart)
  return stop
}
