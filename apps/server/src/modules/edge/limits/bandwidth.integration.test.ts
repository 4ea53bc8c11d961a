/** Visitors' transfers with a cluster whose plan sets a bandwidth: slower, and complete. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startTestEdge, type TestEdge, ways } from '../testing/test-edge.ts'
import { createVisitor } from '../testing/visitor.ts'

const bytesPerSecond = 2_000_000
/** Both ways: a second's worth above the burst. */
const body = randomBytes(3_000_000)
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
let edge: TestEdge
beforeAll(async () => {
  edge = await startTestEdge()
})
afterAll(() => edge.close())

test.each(ways)('bodies both ways come whole, no faster than the plan lets, %s', async (way) => {
  const host = await edge.serve(
    createServer(async (req, res) => res.end(await buffer(req))),
    way,
  )
  const route = edge.routes.get(host)
  if (route) edge.routes.set(host, { ...route, bytesPerSecond })
  const began = performance.now()
  const visit = createVisitor(edge.port, host)
  const answer = await visit({ method: 'POST', body })
  expect(hash(answer.body)).toBe(hash(body))
  // It cannot be faster: two seconds' worth at once, then at the rate.
  expect(performance.now() - began).toBeGreaterThan(950)
  // One that leaves in the middle holds nothing up.
  const left = new AbortController()
  const half = fetch(`http://127.0.0.1:${edge.port}/`, { method: 'POST', body, headers: { host }, signal: left.signal })
  left.abort()
  await expect(half).rejects.toThrow()
  expect((await visit({ method: 'POST', body: body.subarray(0, 1000) })).body).toHaveLength(1000)
})

test('many short bodies are held to it as a long one is', async () => {
  const host = await edge.serve(
    createServer(async (req, res) => res.end(await buffer(req))),
    'straight',
  )
  const route = edge.routes.get(host)
  if (route) edge.routes.set(host, { ...route, bytesPerSecond })
  const began = performance.now()
  const visit = createVisitor(edge.port, host)
  const short = body.subarray(0, 60_000)
  const answers = await Promise.all(Array.from({ length: 50 }, () => visit({ method: 'POST', body: short })))
  expect(answers.filter((answer) => !answer.body.equals(short))).toEqual([])
  // As above: six million bytes, two seconds' worth of them at once.
  expect(performance.now() - began).toBeGreaterThan(950)
  // An answer without a body is not counted with its stated length.
  expect((await visit({ method: 'HEAD' })).status).toBe(200)
})

test('upgraded connections are held to it, too', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, maxPayload: 10_000_000 })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  const host = await edge.serve(server, 'straight')
  const route = edge.routes.get(host)
  if (route) edge.routes.set(host, { ...route, bytesPerSecond })
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/`, { headers: { host } })
  await once(socket, 'open')
  const began = performance.now()
  socket.send(body)
  const [echo] = (await once(socket, 'message')) as [Buffer]
  expect(hash(echo)).toBe(hash(body))
  expect(performance.now() - began).toBeGreaterThan(950)
  socket.close()
  await once(socket, 'close')
})
