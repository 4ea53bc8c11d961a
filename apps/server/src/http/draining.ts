import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets `close` end as soon as the requests under way are answered. Closing the server drops the connections that are
 * idle at that moment; two kinds would keep it open until they time out, a minute or more:
 * one whose answer is sent later, which the client would keep for its next request, and one that was only opened, as
 * browsers do ahead of need.
 */
export function drainOnClose(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  // Not by listening for `upgrade`: where nothing takes WebSockets, Node would then leave them unanswered and open.
  app.addHook('onRequest', async ({ raw }) => {
    unused.delete(raw.socket)
  })

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of unused) socket.destroy()
  })
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}
