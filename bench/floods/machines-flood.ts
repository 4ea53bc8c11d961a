/**
 * A machine that says interim answers and bodies without end, straight and over what it dialled, and visitors who ask
 * for them and read nothing.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { openRelayLink } from '../../apps/agent/src/network/relay-link.ts'
import { serveFlood } from './under-flood.ts'

export interface MachineFloodSetup {
  edgePort: number
}

const { edgePort }: MachineFloodSetup = JSON.parse(process.argv[2] ?? '')
/** New requests of visitors who read nothing; one of them once ended an edge. */
const perSecond = 40
/** Each stays this long, ms. */
const stayMs = 2000

const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n'
const webSocket = `${upgrade}sec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\n`
const chunk = `fff0\r\n${'x'.repeat(0xfff0)}\r\n`
const kinds: { ask: string; head: string; block: string }[] = [
  {
    ask: 'expect: 100-continue\r\ncontent-length: 5\r\n',
    head: '',
    block: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000),
  },
  { ask: '', head: '', block: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000) },
  { ask: '', head: '', block: 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n'.repeat(1000) },
  { ask: '', head: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', block: chunk },
  { ask: webSocket, head: `HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`, block: chunk },
]

/** Or gone. */
async function drained(socket: Duplex): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

let bytes = 0
const onRequest = async ({ url, socket }: IncomingMessage) => {
  const kind = kinds[Number(url?.slice(1))]
  if (!kind) throw new Error(`nothing is said at ${url}`)
  socket.on('error', () => undefined) // the edge cuts it
  socket.write(kind.head)
  while (!socket.destroyed) {
    bytes += kind.block.length
    if (!socket.write(kind.block)) await drained(socket)
  }
}
const server = createServer().on('request', onRequest).on('checkContinue', onRequest).on('upgrade', onRequest)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo // a TCP listener's address is always this
await new Promise<void>((resolve) => {
  openRelayLink({
    url: `http://127.0.0.1:${edgePort}`,
    enrolled: { instanceId: 'in_flood0000000', clusterId: 'cl_flood0000000', token: 'x'.repeat(43) },
    boot: { id: 'flood', previous: null, hostName: 'flood' },
    accept: (connection) => void server.emit('connection', connection),
    report: ({ state }) => {
      if (state === 'connected') resolve()
    },
    onRefused: (refusal) => {
      throw new Error(refusal)
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
})

const visitors = new Set<Socket>()
let visits = 0

function visit(): void {
  const host = Math.floor(visits / kinds.length) % 2 === 0 ? 'flood-straight.test' : 'flood-relayed.test'
  const at = visits % kinds.length
  const ask = kinds[at]?.ask
  visits += 1
  const visitor = connect(edgePort, '127.0.0.1')
  visitors.add(visitor)
  visitor.on('error', () => undefined) // cut by the edge
  visitor.on('close', () => visitors.delete(visitor))
  visitor.pause()
  visitor.write(`${ask?.startsWith('expect') ? 'PUT' : 'GET'} /${at} HTTP/1.1\r\nhost: ${host}\r\n${ask}\r\n`)
  setTimeout(() => visitor.destroy(), stayMs)
}

let timer: NodeJS.Timeout | undefined
serveFlood({
  begin() {
    ;[visits, bytes] = [0, 0]
    timer = setInterval(visit, 1000 / perSecond)
  },
  /** Before it began: the port at which the machine listens. */
  async end() {
    if (!timer) return String(port)
    clearInterval(timer)
    for (const visitor of visitors) visitor.destroy()
    return `${visits} visits at ${perSecond} a second, ${(bytes / 1e6).toFixed(0)} MB said`
  },
})
