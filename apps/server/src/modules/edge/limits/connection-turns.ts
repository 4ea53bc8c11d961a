/**
 * The requests of one connection, one after the other. HTTP lets a visitor send the next ones before the first is
 * answered. Node hands all of them over at once and only writes the answers in order: each would hold a connection to
 * an instance, and its answer memory here, until those before it are through.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionTurns {
  /** Whether an earlier request of `socket` is not answered yet. */
  isBusy(socket: Socket): boolean
  /** To be called first of all. True when all earlier requests are answered, false when the connection is gone. */
  wait(req: IncomingMessage, res: ServerResponse): Promise<boolean>
}

/** Requests of one connection. Clients that pipeline send a few; a connection with more is cut. */
const mostUnderWay = 100

export function createConnectionTurns(): ConnectionTurns {
  const underWay = new WeakMap<Socket, number>()
  const countOf = (socket: Socket) => underWay.get(socket) ?? 0

  return {
    isBusy: (socket) => countOf(socket) > 0,
    async wait(req, res) {
      const { socket } = req
      if (countOf(socket) >= mostUnderWay) socket.destroy()
      underWay.set(socket, countOf(socket) + 1)
      res.once('close', () => underWay.set(socket, countOf(socket) - 1))
      // Node gives an answer its connection when it is next; one that waits is not closed with it, its request is.
      if (!res.socket) await Promise.race([once(res, 'socket'), once(req, 'close')])
      return !socket.destroyed
    },
  }
}
