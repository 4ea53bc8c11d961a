/** The endpoint without anybody between: listens on every address of the machine. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import type { Log } from '../kernel/log.ts'
import type { Endpoint, NetworkReport } from './endpoint.ts'

/** So many ports from the preferred one on are tried before any free one is taken. */
const triedPorts = 10

export async function listenDirectly({
  port: preferred,
  accept,
  report,
  log,
}: {
  port: number
  accept(connection: Socket): void
  report(state: NetworkReport): void
  log: Log
}): Promise<Endpoint> {
  const server = createServer({ noDelay: true }, accept)
  const port = await listenNear(server, preferred)
  log.info('network', `visitors reach this machine on port ${port}`)
  report({ state: 'connected', reason: null, port })
  return {
    traffic: () => ({ in: 0, out: 0 }), // the personal server counts these connections as its own
    async close() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

async function listenNear(server: Server, preferred: number): Promise<number> {
  const ports = preferred === 0 ? [0] : [...Array.from({ length: triedPorts }, (_, at) => preferred + at), 0]
  for (const port of ports) {
    try {
      // On IPv6 and IPv4, or on IPv4 alone where the kernel has no other.
      server.listen(port)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port // a TCP listener's address is always this
    } catch (error) {
      if (!hasErrorCode(error, 'EADDRINUSE', 'EACCES')) throw error
    }
  }
  throw new Error('no port is free')
}
