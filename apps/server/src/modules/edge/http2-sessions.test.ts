import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../certificates/testing/self-signed.ts'
import { createHttp2Sessions } from './http2-sessions.ts'

/** A visitor's session with an edge that takes requests and never answers, and the edge's ends of their connections. */
async function open(times: { keepAliveMs: number; idleMs: number }) {
  const requests: Duplex[] = []
  const sessions = createHttp2Sessions({ speakHttp1: (socket) => requests.push(socket), ...times })
  const { key, chain } = await selfSigned('reef.test')
  const server = createServer({ key, cert: chain, ALPNProtocols: ['h2'] }, (socket) => sessions.take(socket, false))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a TCP listener's address is always this
  const session = http2.connect(`https://127.0.0.1:${port}`, { servername: 'reef.test', rejectUnauthorized: false })
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return { session, requests }
}
const hour = 3600_000

test('a session without requests is ended', async () => {
  const { session } = await open({ keepAliveMs: 1, idleMs: hour })
  let code: number | undefined
  session.once('goaway', (said: number) => {
    code = said
  })
  await once(session, 'close')
  expect(code).toBe(0)
})

test('a request on which nothing moves is reset, and the edge lets go of it', async () => {
  const { session, requests } = await open({ keepAliveMs: hour, idleMs: 100 })
  const stream = session.request({ ':authority': 'reef.test' }).on('error', () => undefined)
  await once(stream, 'close')
  const [socket] = requests
  if (socket && !socket.destroyed) await once(socket, 'close')
  expect(requests).toHaveLength(1)
})
