/** What visitors tried to hold up each other, or to get at each other, through one edge. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestEdge, type TestEdge, ways } from './testing/test-edge.ts'
import { createVisitor } from './testing/visitor.ts'

let edge: TestEdge
beforeAll(async () => {
  edge = await startTestEdge()
})
afterAll(() => edge.close())

/** Answers as the personal server does: it reads bodies, and has no use for upgrades. */
function createInstance(seen: string[] = []) {
  return createServer(async (req, res) => {
    seen.push(`${req.method} ${req.url}`)
    const body = await text(req).catch(() => undefined)
    res.end(`${req.method} ${body?.length}`)
  })
}

const upgrade = (host: string, ...lines: string[]) =>
  [
    'GET /attack HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
    ...lines,
    '',
    '',
  ].join('\r\n')

describe.each(ways)('%s, an upgrade', (way) => {
  test.each([
    ['Content-Length: 100', ''],
    ['Content-Length: 100', 'half'],
    ['Transfer-Encoding: chunked', ''],
    ['Content-Length: 0100', ''],
  ])('that announces a body (%s, then %j) is refused, and the next visitor is served', async (framing, body) => {
    const seen: string[] = []
    const host = await edge.serve(createInstance(seen), way)
    const visit = createVisitor(edge.port, host)
    expect((await visit()).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, () => text(edge.send(upgrade(host, framing) + body))))
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const after = await Promise.all(Array.from({ length: 20 }, () => visit({ path: '/next' })))
    expect(after.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(20).fill('200 GET 0'))
    expect(seen).not.toContain('GET /attack')
  })

  test('that the instance answers like any request leaves its connection to nobody', async () => {
    const connections: unknown[] = []
    const instance = createInstance().on('request', ({ socket }) => connections.push(socket))
    const host = await edge.serve(instance, way)
    expect(await text(edge.send(upgrade(host, 'Content-Length: 0')))).toMatch(/^HTTP\/1\.1 200 [\s\S]*GET 0$/)
    const visit = createVisitor(edge.port, host)
    for (const _ of [1, 2]) expect((await visit()).body.toString()).toBe('GET 0')
    expect(connections[1]).not.toBe(connections[0])
    expect(connections[2]).toBe(connections[1])
  })
})
