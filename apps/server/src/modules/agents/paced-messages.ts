/**
 * Limits the messages of one channel to the pace of an agent; they are counted before they are parsed. Messages above
 * the pace wait here, and reading stops meanwhile, so back pressure slows the agent. The connection is not closed,
 * because the agent would reconnect and send everything again.
 */
import type { RawData, WebSocket } from 'ws'

export interface Pace {
  messagesPerSecond: number
  bytesPerSecond: number
  /** So many seconds' worth may come at once. */
  burstSeconds: number
}

/**
 * An agent sends what changed every 150 ms at most, measurements every 5 s, and how far a task is every second; its
 * largest message is `agentMessageLimit`.
 */
export const agentPace: Pace = { messagesPerSecond: 20, bytesPerSecond: 1024 * 1024, burstSeconds: 8 }

export interface PacedMessages {
  /** Drops what waits. */
  stop(): void
}

/** Hands `take` each message of `socket` in turn. `onHeldBack` hears each time that reading is stopped. */
export function paceMessages(
  socket: WebSocket,
  pace: Pace,
  { take, onHeldBack }: { take(data: RawData, isBinary: boolean): void; onHeldBack(): void },
): PacedMessages {
  const burstMs = pace.burstSeconds * 1000
  /** Until when what came so far takes at the pace, ms of a steady clock. */
  let busyUntil = 0
  const waiting: { data: RawData; isBinary: boolean }[] = []
  let timer: NodeJS.Timeout | undefined

  function costOf(data: RawData): number {
    const bytes = Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength
    return Math.max(1000 / pace.messagesPerSecond, (bytes * 1000) / pace.bytesPerSecond)
  }

  /** Takes what the pace allows; stops reading while something is left. */
  function goOn(): void {
    timer = undefined
    for (let next = waiting[0]; next; next = waiting[0]) {
      const now = performance.now()
      const overMs = busyUntil - now - burstMs
      if (overMs >= 0) {
        timer = setTimeout(goOn, overMs + 1)
        return
      }
      waiting.shift()
      busyUntil = Math.max(busyUntil, now) + costOf(next.data)
      take(next.data, next.isBinary)
    }
    socket.resume()
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    waiting.push({ data, isBinary })
    // Messages that have already arrived are still emitted after a pause; they wait in order.
    if (timer !== undefined) return
    goOn()
    if (timer === undefined) return
    socket.pause()
    onHeldBack()
  })

  return {
    stop() {
      clearTimeout(timer)
      waiting.length = 0
    },
  }
}
