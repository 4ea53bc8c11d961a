import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { codes, rates } from '@atoll/contract/wire'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { serveSpa } from '../pages/spa.ts'
import { defineEndpoint } from '../rates/define-endpoint.ts'
import { createHttpServer } from '../server.ts'

let dist: string
let app: FastifyInstance
let handled: string[]

beforeEach(async () => {
  handled = []
  dist = mkdtempSync(join(tmpdir(), 'atoll-dist-'))
  writeFileSync(join(dist, 'index.html'), '<html><head></head><body>page</body></html>')
  app = await createHttpServer({
    config: { publicUrl: 'http://console.example', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: createLog({ level: 'silent' }),
    metrics: { observe: () => undefined },
  })
  app.route({
    ...defineEndpoint({ method: 'GET', url: '/name/:name', openBecause: 'for tests' }),
    handler: async ({ url }) => handled.push(url),
  })
  app.route({
    ...defineEndpoint({ method: 'POST', url: '/v1/call', rate: rates.read, openBecause: 'for tests' }),
    handler: async ({ url }) => handled.push(url),
  })
  await serveSpa(app, { dist, pages: ['/'], connect: [], scanner: false })
})
afterEach(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

/** The response to exactly these lines. */
async function answerTo(lines: string[]): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // a TCP listener's address is always this
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  return await text(socket)
}

describe('a path that cannot be decoded', () => {
  const message = 'The request is malformed: path.'
  it.each(['/%E0%A4', '/login/%ff?a=%41', '/name/%E0%A4%A', '/name/%00'])(
    'is answered as %s with 400 and the page',
    async (url) => {
      const answer = await app.inject({ url, headers: { accept: 'text/html' } })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
      expect(answer.body).toContain('page')
      expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-request-id': expect.any(String) })
    },
  )

  it.each([
    ['/%E0%A4', 400],
    ['/name/%E0%A4%A', 400],
    ['/name/reef%00', 400],
    // Answers of the product API are 200 whatever their code (wire).
    ['/v1/%ff', 200],
    ['/api/v1/%ff', 200],
  ])('is refused to programs at %s with %i', async (url, status) => {
    const answer = await app.inject({ url, headers: { accept: '*/*' } })
    expect([answer.statusCode, answer.json()]).toEqual([status, { code: codes.badParameter, message }])
    expect(handled).toEqual([])
  })

  it.each([
    ['POST', '/v1/%ff', 200],
    ['POST', '/%E0%A4', 400],
    ['PUT', '/name/%E0%A4%A', 400],
  ] as const)('is refused to %s %s, which no route takes, with %i', async (method, url, status) => {
    const answer = await app.inject({ method, url })
    expect([answer.statusCode, answer.json()]).toEqual([status, { code: codes.badParameter, message }])
  })

  it('is not one whose query alone cannot be', async () => {
    const answer = await app.inject({ url: '/name/reef?a=%E0%A4' })
    expect([answer.statusCode, handled]).toEqual([200, ['/name/reef?a=%E0%A4']])
  })
})

describe('two lines Host', () => {
  it.each([
    ['a call', 'POST /v1/call HTTP/1.1'],
    ['a page', 'GET / HTTP/1.1'],
    ['a route', 'GET /name/reef HTTP/1.1'],
  ])('are refused to %s with 400, in words', async (_, line) => {
    const answer = await answerTo([line, 'Host: a.example', 'hOST: b.example'])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/x-frame-options/i)
    expect(answer).toContain('{"code":501,"message":"The request is malformed: host."}')
    expect(handled).toEqual([])
  })

  it('are not one line, or a value that looks like another', async () => {
    expect(await answerTo(['GET /name/reef HTTP/1.1', 'Host: a.example', 'X-Other: Host'])).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([[], ['Host: a.example:65536'], ['Host: a.example:x'], ['Host: a:1:2']])(
    'nor is %j one',
    async (...lines) => {
      const answer = await answerTo(['GET /name/reef HTTP/1.1', ...lines])
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('{"code":501,"message":"The request is malformed: host."}')
      expect(handled).toEqual([])
    },
  )

  it.each(['a.example:65535', 'a.example:', '[::1]:80'])('but %s is', async (host) => {
    expect(await answerTo(['GET /name/reef HTTP/1.1', `Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('what the parser gives up on', () => {
  it.each([
    ['an unknown method', 400, 'HTTP', ['BREW / HTTP/1.1', 'Host: a.example']],
    [
      'a body framed two ways',
      400,
      'HTTP',
      ['POST /v1/call HTTP/1.1', 'Host: a.example', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ],
    [
      'a head that is too large',
      431,
      'request header fields too large',
      ['GET / HTTP/1.1', 'Host: a.example', `X-Long: ${'a'.repeat(20_000)}`],
    ],
  ])('is answered in the envelope: %s', async (_, status, what, lines) => {
    const [head = '', body = ''] = (await answerTo(lines)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n[\\s\\S]*application/json`))
    expect(JSON.parse(body)).toEqual({ code: codes.badParameter, message: `The request is malformed: ${what}.` })
    expect(handled).toEqual([])
  })
})

it('an upgrade that nothing here takes is an ordinary request: its connection is not held', async () => {
  const answer = await answerTo(['GET / HTTP/1.1', 'Host: a.example', 'Connection: Upgrade', 'Upgrade: websocket'])
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})
