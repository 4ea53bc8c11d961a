/**
 * The instance of the relay's bench: the agent's own way into the relay, before a server that sends and swallows
 * bytes.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openRelayLink } from '../../apps/agent/src/network/relay-link.ts'

const block = Buffer.alloc(64 * 1024, 'x')
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** `/N` answers with N bytes once the body has been read. */
const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
  req.resume()
  req.once('end', () => void send(res, Number(req.url?.slice(1))))
})

async function send(res: ServerResponse, bytes: number): Promise<void> {
  res.writeHead(200, { 'content-length': bytes })
  for (let sent = 0; sent < bytes; sent += block.length) {
    if (!res.write(block.subarray(0, bytes - sent))) await once(res, 'drain')
  }
  res.end()
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo // a TCP listener's address is always this
openRelayLink({
  url: process.env['EDGE_URL'] ?? '',
  enrolled: { instanceId: 'in_bench0000000', clusterId: 'cl_bench0000000', token: 'x'.repeat(43) },
  boot: { id: 'bench', previous: null, hostName: 'bench' },
  accept: (connection) => void server.emit('connection', connection),
  report: ({ state }) => {
    if (state === 'connected') process.send?.({ port })
  },
  onRefused: (refusal) => {
    throw new Error(refusal)
  },
  log: quiet,
})
