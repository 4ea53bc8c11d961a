/** A connection of a boot that has to prove that it lives: what it sends first is kept until that is noted. */
import type { RawData, WebSocket } from 'ws'
import type { Log } from '../../../platform/log.ts'
import type { Proof } from './meet-dial.ts'

/** An agent reports at once; one that says nothing for so long is not served. ms */
const firstWordMs = 10_000
/** Far more than an agent sends until it is served. */
const mostHeld = 50

/** Calls `prove` at the first message, and then `act` with what came of it and the messages that were kept. */
export function holdUntilProven(
  socket: WebSocket,
  { prove, log }: { prove: () => Promise<Proof>; log: Log },
  act: (proof: Proof, sendOn: () => void) => void,
): void {
  const held: [RawData, boolean][] = []
  const timer = setTimeout(() => socket.terminate(), firstWordMs)
  socket.once('close', () => clearTimeout(timer))

  function hold(data: RawData, isBinary: boolean): void {
    if (held.length === mostHeld) socket.terminate()
    held.push([data, isBinary])
    if (held.length > 1) return
    // Further messages wait at the sender; some that have already arrived are still emitted.
    socket.pause()
    void decide()
  }

  async function decide(): Promise<void> {
    const proof = await prove().catch((error: unknown): Proof => {
      log.error({ err: error }, 'the boot of an agent was not noted; it will connect again')
      return 'again'
    })
    clearTimeout(timer)
    socket.off('message', hold)
    socket.resume()
    if (socket.readyState !== socket.OPEN) return
    act(proof, () => {
      for (const [data, isBinary] of held) socket.emit('message', data, isBinary)
    })
  }

  socket.on('message', hold)
}
