import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/** The least that a body brings: so many bytes over each window while it is waited for. */
const pace = { bytes: 15_000, windowMs: 30_000 }
/**
 * A socket delivers 32 to 64 kB at a time. Waiting for the disk after each would cost more than writing the bytes, so
 * this many are gathered first. This is the most that a connection holds, apart from its socket's buffer: the fewer
 * bodies arrive at once, the more each may hold.
 */
const groupBytes = { least: 262_144, most: 1_048_576, ofAll: 16_777_216 }
/** Limits the number of chunks: tiny ones would fill the memory with the overhead of each. */
const groupChunks = 64

/** Bodies that come now, to this process. */
let bodies = 0

/** A body that came too slowly, and was cut. */
export class SlowBody extends Error {
  override name = 'SlowBody'
}

/**
 * The bytes of a request in groups of chunks. Each group is yielded after the one before it was processed and released.
 * A sender that is too slow is cut, with `SlowBody`; time in which nothing was read does not count against it. Leaving
 * the loop early leaves the connection open, for an answer.
 */
export async function* pacedBody(
  req: IncomingMessage,
  { bytes, windowMs } = pace,
): AsyncGenerator<Buffer[], void, undefined> {
  let [group, gathered, received]: [Buffer[], number, number] = [[], 0, 0]
  let isWaiting = true
  let ended: { error: Error | null | undefined } | undefined
  let wake = () => {}
  const timer = setInterval(() => {
    if (isWaiting && received < bytes) req.destroy(new SlowBody('the body came too slowly'))
    received = 0
  }, windowMs)
  const stopWatching = finished(req, { writable: false }, (error) => {
    ended = { error }
    wake()
  })
  const isFull = () => gathered >= shareOfOne() || group.length >= groupChunks
  function gather(chunk: Buffer): void {
    group.push(chunk)
    gathered += chunk.length
    received += chunk.length
    if (!isFull()) return
    req.pause()
    wake()
  }
  req.on('data', gather)
  bodies += 1
  try {
    for (;;) {
      if (!isFull() && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (ended?.error) throw ended.error
      if (gathered === 0) return
      const taken = group
      ;[group, gathered, isWaiting] = [[], 0, false]
      yield taken
      for (const chunk of taken) release(chunk)
      isWaiting = true
      req.resume()
    }
  } finally {
    bodies -= 1
    clearInterval(timer)
    stopWatching()
    req.off('data', gather)
  }
}

function shareOfOne(): number {
  return Math.min(groupBytes.most, Math.max(groupBytes.least, groupBytes.ofAll / bodies))
}

/**
 * Gives the memory of a chunk back at once. Left to the collector, a gigabyte of chunks has it go over the whole heap a
 * dozen times, which takes longer than hashing them.
 */
function release({ buffer, byteLength }: Buffer): void {
  // A small one may be a part of what others hold.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
