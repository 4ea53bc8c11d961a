/** Where a listener listens: at an address of its own, or on a socket that systemd holds for it. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** A port of the configured host (0: any free one), or the descriptor of a socket that is already bound. */
export type Place = number | { fd: number }

/** The sockets that a name server was given: descriptors that are bound already, each to one address. */
export interface GivenSockets {
  udp4: readonly number[]
  udp6: readonly number[]
  tcp: readonly number[]
}

/** Resolves with the port once `server` listens. `backlog`: how many may wait to be accepted. */
export async function listenAt(server: Server, place: Place, host: string, backlog?: number): Promise<number> {
  server.listen(typeof place === 'number' ? { port: place, host, backlog } : { ...place, backlog })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a TCP listener's address is always this
}
