import type { IncomingMessage } from 'node:http'

/** The least that a body brings: so many bytes over each window while it is waited for. */
const pace = { bytes: 15_000, windowMs: 30_000 }

/** A body that came too slowly, and was cut. */
export class SlowBody extends Error {
  override name = 'SlowBody'
}

/**
 * The chunks of a request, each when the one before it is done with. Who sends too slowly is cut, with `SlowBody`; time
 * in which nothing was read is not the sender's. Leaving it early leaves the connection open, for an answer.
 */
export async function* pacedBody(req: IncomingMessage, { bytes, windowMs } = pace): AsyncGenerator<Buffer> {
  let received = 0
  let isWaiting = true
  const timer = setInterval(() => {
    if (isWaiting && received < bytes) req.destroy(new SlowBody('the body came too slowly'))
    received = 0
  }, windowMs)
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += chunk.length
      isWaiting = false
      yield chunk
      isWaiting = true
    }
  } finally {
    clearInterval(timer)
  }
}
