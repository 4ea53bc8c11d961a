import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { avatarSet, login } from '@atoll/contract/accounts'
import { streamCalls } from '@atoll/contract/api'
import { auditExportPath } from '@atoll/contract/audit'
import { backupUsage, trafficUsage } from '@atoll/contract/billing'
import { RuntimeConfig } from '@atoll/contract/identity'
import { codes, eventsPath, rates, syncCookieName } from '@atoll/contract/wire'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../config.ts'
import { currentBuild, describeBuild } from '../platform/install.ts'
import { createLog } from '../platform/log.ts'
import { createTestApp, knownCaller, type TestApp } from './app.fixture.ts'
import { mayBeReached } from './operations/operations.ts'
import { defineEndpoint } from './rates/define-endpoint.ts'
import { createHttpServer } from './server.ts'

let test: TestApp
afterEach(async () => {
  vi.restoreAllMocks()
  await test.app.close()
})

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
    // Requests that only claim to be from an account do not count against its rate.
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

  it.each([
    ['a call that reads, as one account', '/v1/test/echo', rates.read.account, 200],
    ['an endpoint that is no call', '/v1/events', rates.read.account, 429],
  ])(
    'let %s be asked as often as it says, and then answer 429 with when to come back',
    async (_, url, most, status) => {
      test = await createTestApp({ ATOLL_RATE_FACTOR: '1' })
      const method = url === eventsPath ? 'GET' : 'POST'
      const ask = (account: string, remoteAddress = '192.0.2.1') =>
        test.app.inject({
          method,
          url,
          remoteAddress,
          headers: { ...knownCaller, userid: `${knownCaller.userid}${account}` },
          ...(method === 'POST' && { payload: { text: 'a' } }),
        })
      // Requests that are refused for another reason count as well, as do event streams that could not start.
      test.endStreams()
      // No request comes back while the clock stands still.
      vi.spyOn(performance, 'now').mockReturnValue(performance.now())
      let asked = 0
      while ((await ask('')).json().code !== codes.tooManyRequests) asked += 1
      expect(asked).toBe(most)
      // From elsewhere too, as it is the account's.
      const refused = await ask('', '192.0.2.2')
      expect([refused.statusCode, refused.json().code]).toEqual([status, codes.tooManyRequests])
      expect(refused.headers).toMatchObject({
        'retry-after': '1',
        ratelimit: expect.stringMatching(/^"account";r=0;t=(59|60)$/),
        'ratelimit-policy': `"account";q=${most};w=60`,
      })
      expect((await ask('2')).json().code).not.toBe(codes.tooManyRequests)
    },
  )

  it('count all addresses of one /64 as one, and each of IPv4 alone', async () => {
    test = await createTestApp({ ATOLL_SIGN_IN_RATE: '2' })
    const codeFrom = async (remoteAddress: string) => (await test.app.inject({ ...signIn, remoteAddress })).json().code
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2::3', '2001:db8:1:3::1']
    const answers: number[] = []
    for (const address of [...addresses, '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1', '192.0.2.1'])
      answers.push(await codeFrom(address))
    expect(answers).toEqual([200, 200, 429, 200, 200, 200, 200, 429])
  })

  it('count addresses where there is nothing, and pages', async () => {
    test = await createTestApp()
    const ask = (url: string) => test.app.inject({ url, headers: { accept: 'text/html' } })
    for (const url of ['/nothing/there', '/login'])
      expect((await ask(url)).headers['ratelimit']).toMatch(/^"network";r=1199\d;t=1$/)
  })

  it('lets no endpoint be mounted without a rate', async () => {
    test = await createTestApp()
    await test.app.close()
    const server = await createHttpServer({
      config: loadConfig({}, '/nowhere'),
      log: createLog({ level: 'silent' }),
      metrics: { observe: () => undefined },
    })
    expect(() => server.post('/v1/new', async () => ({}))).toThrow('POST /v1/new has no rate')
    const open = { url: '/v1/new', openBecause: 'of this test' } as const
    // @ts-expect-error an endpoint that changes something names its rate: the check of types fails where this compiles
    defineEndpoint({ ...open, method: 'POST' })
    expect(defineEndpoint({ ...open, method: 'GET' }).config.rate).toBe(rates.read)
  })

  it('stop an address that sends pictures from many accounts, and no other address', async () => {
    test = await createTestApp()
    const send = async (account: number, remoteAddress: string) => {
      const headers = { ...knownCaller, userid: `${knownCaller.userid}${account}` }
      const sent = { method: 'POST', url: avatarSet.path, headers, remoteAddress, payload: { image: 'AAAA' } } as const
      return (await test.app.inject(sent)).json().code
    }
    const answers: number[] = []
    // One comes back each second.
    while (answers.at(-1) !== codes.tooManyRequests) answers.push(await send(answers.length % 16, '192.0.2.1'))
    expect(answers.length).toBeGreaterThan(60)
    expect(answers.length).toBeLessThan(120)
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
    // Entries before the proxy's own one are forged by the client.
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
        'access-control-allow-headers': 'content-type, userid, token, last-event-id, look-as',
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
    expect((await test.app.inject('/healthz')).json()).toEqual({ status: 'ok', ...currentBuild() })
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

  it.each([
    ['127.0.0.1', 'http://localhost:4800', true, false],
    ['::1', 'http://localhost:4800', true, false],
    ['::', 'http://localhost:4800', true, true],
    ['0.0.0.0', 'http://localhost:4800', false, true],
    ['10.0.0.4', 'http://localhost:4800', false, true],
    ['127.0.0.1', 'https://console.example', true, true],
    // Probes of a worker or an edge beside it: no proxy passes anything on to them.
    ['127.0.0.1', 'https://console.example', false, false],
  ])(
    'bound to %s with the address %s (an api: %s) may be reached by strangers: %s',
    (host, publicUrl, isApi, reached) => {
      expect(mayBeReached({ host, publicUrl }, isApi)).toBe(reached)
    },
  )
})

describe('what clients read first', () => {
  it('is the runtime configuration, never cached', async () => {
    test = await createTestApp({
      ATOLL_PRODUCT: 'Reef',
      ATOLL_PUBLIC_URL: 'https://console.example',
      ATOLL_CHINA_URL: 'https://cn.example',
      ATOLL_WALLET_URL: 'https://wallet.example',
      ATOLL_FORMER_WALLET_URLS: 'https://wallet.before.example',
    })
    const answer = await test.app.inject('/config.json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(RuntimeConfig.parse(answer.json())).toMatchObject({
      product: 'Reef',
      version: describeBuild(currentBuild()),
      hosts: { global: 'https://console.example', china: 'https://cn.example' },
      walletUrl: 'https://wallet.example',
      formerWalletUrls: ['https://wallet.before.example'],
    })
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
  })

  it('is an OpenAPI document of exactly the mounted calls', async () => {
    test = await createTestApp()
    const document = (await test.app.inject('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    const productPaths = Object.keys(document.paths).filter((path) => /^\/v\d/.test(path))
    const streams = streamCalls.map(({ path }) => path)
    const calls = [login, avatarSet, trafficUsage, backupUsage].map(({ path }) => path)
    expect(productPaths.sort()).toEqual(['/v1/test/echo', '/v2/test/open', ...calls, ...streams].sort())
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

it('a body that is cut off is no failure of the server', async () => {
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
