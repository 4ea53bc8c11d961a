import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { avatarSet, login } from '@atoll/contract/accounts'
import { streamCalls } from '@atoll/contract/api'
import { auditExportPath } from '@atoll/contract/audit'
import { backupUsage, trafficUsage } from '@atoll/contract/billing'
import { RuntimeConfig } from '@atoll/contract/identity'
import { codes, eventsPath, syncCookieName } from '@atoll/contract/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, knownCaller, type TestApp } from './app.fixture.ts'

let test: TestApp
afterEach(() => test.app.close())

const signIn = {
  method: 'POST',
  url: login.path,
  headers: { 'content-type': 'application/json', origin: 'http://wallet.example' },
  payload: { jws: 'a.b.c', did: 'did:key:z' },
} as const

describe('limits', () => {
  it('stop one address that signs in too often, say for how long, and spare other calls', async () => {
    test = await createTestApp({ ATOLL_SIGN_IN_RATE: '3' })
    for (const _ of [1, 2, 3]) expect((await test.app.inject(signIn)).json().code).toBe(200)
    const refused = await test.app.inject(signIn)
    expect([refused.statusCode, refused.json().code]).toEqual([200, 429])
    expect(refused.json().message).toMatch(/Try again in \d+ s/)
    expect((await test.app.inject({ method: 'POST', url: '/v2/test/open' })).json().code).toBe(200)
    expect((await test.app.inject({ ...signIn, remoteAddress: '192.0.2.7' })).json().code).toBe(200)
  })

  it('stop an account that sends pictures too often, before they are read, and nobody else', async () => {
    test = await createTestApp()
    const send = (headers: Record<string, string>) =>
      test.app.inject({ method: 'POST', url: avatarSet.path, headers, payload: { image: 'AAAA' } })
    // Who only says to be somebody uses nothing up.
    for (let count = 0; count < 20; count += 1)
      expect((await send({ ...knownCaller, token: 'wrong' })).json().code).toBe(codes.signedOut)
    const answers: number[] = []
    for (let count = 0; count < 12; count += 1) answers.push((await send(knownCaller)).json().code)
    expect(answers).toEqual([...Array(10).fill(codes.ok), codes.tooManyRequests, codes.tooManyRequests])
    expect((await send({ ...knownCaller, 'content-type': 'text/plain' })).json().code).toBe(codes.tooManyRequests)
    expect(
      (
        await test.app.inject({ method: 'POST', url: '/v1/test/echo', headers: knownCaller, payload: { text: 'a' } })
      ).json().code,
    ).toBe(codes.ok)
  })

  it('stop an address that sends pictures from many accounts, and no other address', async () => {
    test = await createTestApp()
    const send = async (account: number, remoteAddress: string) => {
      const headers = { ...knownCaller, userid: `${knownCaller.userid}${account}` }
      const sent = { method: 'POST', url: avatarSet.path, headers, remoteAddress, payload: { image: 'AAAA' } } as const
      return (await test.app.inject(sent)).json().code
    }
    const answers: number[] = []
    for (let count = 0; count < 32; count += 1) answers.push(await send(count % 8, '192.0.2.1'))
    expect(answers).toEqual([...Array(30).fill(codes.ok), codes.tooManyRequests, codes.tooManyRequests])
    expect(await send(0, '192.0.2.2')).toBe(codes.ok)
  })

  it('believe only as many proxies as are set', async () => {
    test = await createTestApp({ ATOLL_SIGN_IN_RATE: '1' })
    const from = (address: string) => ({ ...signIn, headers: { ...signIn.headers, 'x-forwarded-for': address } })
    expect((await test.app.inject(from('192.0.2.1'))).json().code).toBe(200)
    expect((await test.app.inject(from('192.0.2.2'))).json().code).toBe(429)
    await test.app.close()
    test = await createTestApp({ ATOLL_SIGN_IN_RATE: '1', ATOLL_TRUST_PROXY: '1' })
    expect((await test.app.inject(from('192.0.2.1'))).json().code).toBe(200)
    expect((await test.app.inject(from('192.0.2.2'))).json().code).toBe(200)
    // What stands before the proxy's own entry is the client's invention.
    expect((await test.app.inject(from('203.0.113.9, 192.0.2.2'))).json().code).toBe(429)
  })
})

describe('other origins', () => {
  it('may sign in, and nothing else', async () => {
    test = await createTestApp()
    expect((await test.app.inject(signIn)).headers['access-control-allow-origin']).toBe('*')
    const preflight = (url: string) =>
      test.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'http://wallet.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
    const allowed = await preflight(login.path)
    expect(allowed.statusCode).toBe(204)
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
    })
    for (const path of ['/create_local', '/1.0/identifiers/did:key:z', '/get_name_by_did/did:key:z']) {
      expect((await preflight(path)).headers['access-control-allow-origin']).toBe('*')
    }
    for (const path of [trafficUsage.path, `/api${backupUsage.path}`]) {
      expect((await preflight(path)).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type, userid, token',
      })
    }
    for (const path of ['/v1/test/echo', '/v1/resource/', '/config.json']) {
      expect((await preflight(path)).headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})

describe("the console's other host", () => {
  const [global, china] = ['https://console.example.org', 'https://console.example.cn']
  const ask = (url: string, origin: string) =>
    test.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,token,userid',
      },
    })

  it('may be called by its pages, and by nobody else’s', async () => {
    test = await createTestApp({ ATOLL_PUBLIC_URL: global, ATOLL_CHINA_URL: china })
    for (const origin of [global, china]) {
      const { headers } = await ask('/v1/resource/', origin)
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'content-type, userid, token, last-event-id',
      })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
    expect((await ask('/v1/resource/', 'https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
    expect((await ask('/metrics', china)).headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('operations', () => {
  it('answers health, readiness and metrics', async () => {
    test = await createTestApp()
    expect((await test.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await test.app.inject('/readyz')).json()).toEqual({ ready: true, works: 'ok', sweep: 'paused' })
    expect((await test.app.inject('/metrics')).body).toContain('atoll_up 1')
  })

  it('asks for a token before it shows the metrics, when one is set', async () => {
    test = await createTestApp({ ATOLL_METRICS_TOKEN: 'a-token-of-some-length' })
    expect((await test.app.inject('/metrics')).statusCode).toBe(401)
    const authorized = { url: '/metrics', headers: { authorization: 'Bearer a-token-of-some-length' } }
    expect((await test.app.inject(authorized)).statusCode).toBe(200)
  })

  it('shows the metrics to nobody without a token where a proxy may stand before it', async () => {
    test = await createTestApp()
    const forwarded = { url: '/metrics', headers: { 'x-real-ip': '203.0.113.9' } }
    expect((await test.app.inject(forwarded)).statusCode).toBe(401)
    await test.app.close()
    test = await createTestApp({ ATOLL_PUBLIC_URL: 'https://console.example' })
    const refused = await test.app.inject('/metrics')
    expect([refused.statusCode, refused.body]).toEqual([401, 'Set ATOLL_METRICS_TOKEN to read this.\n'])
  })
})

describe('what clients read first', () => {
  it('is the runtime configuration, never cached', async () => {
    test = await createTestApp({
      ATOLL_PRODUCT: 'Reef',
      ATOLL_PUBLIC_URL: 'https://console.example',
      ATOLL_CHINA_URL: 'https://cn.example',
    })
    const answer = await test.app.inject('/config.json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(RuntimeConfig.parse(answer.json())).toMatchObject({
      product: 'Reef',
      hosts: { global: 'https://console.example', china: 'https://cn.example' },
    })
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
  })

  it('is an OpenAPI document of exactly the mounted calls', async () => {
    test = await createTestApp()
    const document = (await test.app.inject('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    const productPaths = Object.keys(document.paths).filter((path) => /^\/v\d/.test(path))
    const streams = streamCalls.map(({ path }) => path)
    expect(productPaths.sort()).toEqual(
      ['/v1/test/echo', '/v2/test/open', login.path, avatarSet.path, ...streams].sort(),
    )
    const { post } = document.paths['/v1/test/echo']
    expect(post).toMatchObject({ operationId: 'echo', security: [{ userid: [], token: [] }] })
    const { schema } = post.requestBody.content['application/json']
    expect(schema).toMatchObject({ required: ['text'], additionalProperties: false })
    expect(document.paths['/v2/test/open'].post.security).toEqual([])
  })

  it('and of what is streamed, with its types', async () => {
    test = await createTestApp()
    const { paths } = (await test.app.inject('/openapi.json')).json()
    const typesOf = (operation: { responses: { 200: { content: object } } }) =>
      Object.keys(operation.responses[200].content)
    expect(typesOf(paths[eventsPath].get)).toEqual(['text/event-stream', 'application/json'])
    expect(paths[eventsPath].get).toMatchObject({
      operationId: 'events',
      security: [{ userid: [], token: [] }, { [syncCookieName]: [] }],
      parameters: [
        { name: 'userid', in: 'query' },
        { name: 'Last-Event-ID', in: 'header', required: false },
      ],
    })
    expect(typesOf(paths[auditExportPath].post)).toEqual(['text/csv', 'application/json'])
    const { schema } = paths[auditExportPath].post.requestBody.content['application/x-www-form-urlencoded']
    expect(Object.keys(schema.properties)).toContain('action')
  })
})

it('lets no answer be framed, sniffed or run', async () => {
  test = await createTestApp()
  for (const url of ['/config.json', '/v2/test/open', '/nothing']) {
    expect((await test.app.inject(url)).headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
  }
})

it('a body that is cut off is no failure of ours', async () => {
  test = await createTestApp()
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((test.app.server.address() as AddressInfo).port, '127.0.0.1') // a TCP listener's
  const type = 'content-type: application/json'
  const head = ['POST /v2/test/open HTTP/1.1', 'Host: a', type, 'content-length: 100', 'expect: 100-continue']
  socket.write([...head, '', ''].join('\r\n'))
  // By now the body is waited for.
  await once(socket, 'data')
  socket.destroy()
  const countConnections = promisify(test.app.server.getConnections.bind(test.app.server))
  await expect.poll(() => countConnections()).toBe(0)
  expect(test.logged()).not.toContain('"level":"error"')
})

describe('an upgrade', () => {
  it.each(['GET /', 'GET /login', 'GET /v1/test/echo', 'POST /v1/test/echo', 'GET /openapi.json', 'GET /nothing'])(
    'is refused at %s, in the envelope',
    async (call) => {
      test = await createTestApp()
      await test.app.listen({ port: 0, host: '127.0.0.1' })
      const socket = connect((test.app.server.address() as AddressInfo).port, '127.0.0.1') // a TCP listener's
      const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
      socket.write(
        [`${call} HTTP/1.1`, 'Host: a', ...upgrade, `Sec-WebSocket-Key: ${'A'.repeat(22)}==`, '', ''].join('\r\n'),
      )
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('"The request is malformed: upgrade."')
    },
  )
})
