import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, createServer } from 'node:tls'
import { until } from '@atoll/testkit'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../certificates/testing/self-signed.ts'
import { createHttp2Sessions } from './http2-sessions.ts'

/** An edge that takes requests and never answers, and its ends of their connections. */
async function open(budgets: { keepAliveMs: number; idleMs: number; mostHeld?: number }) {
  const requests: Duplex[] = []
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const sessions = createHttp2Sessions({ speakHttp1: (socket) => requests.push(socket), log, ...budgets })
  const { key, chain } = await selfSigned('reef.test')
  const server = createServer({ key, cert: chain, ALPNProtocols: ['h2'] }, (socket) => sessions.take(socket, false))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a TCP listener's address is always this
  return { server, port, requests, logged }
}
const visitor = { servername: 'reef.test', rejectUnauthorized: false }
const hour = 3600_000

test('a session without requests is ended, also when the visitor keeps their end open', async () => {
  const { server, port } = await open({ keepAliveMs: 1, idleMs: hour })
  const closed = once(server, 'secureConnection').then(([socket]) => once(socket, 'close'))
  const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], ...visitor })
  socket.allowHalfOpen = true
  socket.on('error', () => undefined) // cut by the edge
  onTestFinished(() => void socket.destroy())
  await closed
})

test('a request on which nothing moves is reset, and the edge lets go of it', async () => {
  const { port, requests } = await open({ keepAliveMs: hour, idleMs: 100 })
  const session = http2.connect(`https://127.0.0.1:${port}`, visitor)
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':authority': 'reef.test' }).on('error', () => undefined)
  await once(stream, 'close')
  expect(stream.rstCode).toBe(http2.constants.NGHTTP2_CANCEL)
  const [socket] = requests
  if (socket && !socket.destroyed) await once(socket, 'close')
  expect(requests).toHaveLength(1)
})

test('bodies that clusters do not take are held up to a budget of all connections: beyond it the oldest is reset', async () => {
  const { port, requests, logged } = await open({ keepAliveMs: hour, idleMs: hour, mostHeld: 4 * 512 * 1024 })
  const streams = Array.from({ length: 3 }, () => {
    const session = http2.connect(`https://127.0.0.1:${port}`, visitor)
    onTestFinished(() => session.destroy())
    return [1, 2].map(() => session.request({ ':authority': 'reef.test', ':method': 'POST' }, { endStream: false }))
  }).flat()
  const full = streams.filter((stream) => !stream.on('error', () => undefined).write(Buffer.alloc(1024 * 1024)))
  expect(full).toHaveLength(6)
  const { NGHTTP2_ENHANCE_YOUR_CALM: calm } = http2.constants
  await until('two are reset', () => streams.filter(({ rstCode }) => rstCode === calm).length >= 2)
  await until('the edge lets go of them', () => requests.filter(({ destroyed }) => destroyed).length >= 2)
  expect(requests.filter(({ destroyed }) => !destroyed)).toHaveLength(4)
  expect(logged.join()).toContain('an upload was cut')
})
