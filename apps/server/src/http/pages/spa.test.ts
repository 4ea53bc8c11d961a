import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answerErrors } from '../request/answers.ts'
import { serveSpa } from './spa.ts'

const script = 'console.log("page")'.repeat(20)
const page = '<!doctype html><html><head><title>Page</title></head><body></body></html>'

const config = {
  product: 'A "quoted" & <tagged> $& name',
  wallet: 'LarePass',
  hosts: { global: 'https://console.example', china: 'https://china.example' },
  walletUrl: 'https://wallet.example',
  formerWalletUrls: [],
  requireMatchNumber: false,
  links: {},
  outbox: false,
  now: 1_773_844_026_000,
}

let dist: string
let app: FastifyInstance

beforeEach(async () => {
  dist = mkdtempSync(join(tmpdir(), 'atoll-dist-'))
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), page)
  writeFileSync(join(dist, 'icon.svg'), '<svg/>')
  writeFileSync(join(dist, '.sources'), 'not for visitors')
  writeFileSync(join(dist, 'assets', 'main-1234.js'), script)
  writeFileSync(join(dist, 'assets', 'main-1234.js.br'), brotliCompressSync(script))
  app = fastify()
  app.decorateRequest('answerCode', 0)
  answerErrors(app)
  app.get('/v1/real', async () => 'answer')
  await serveSpa(app, {
    dist,
    pages: ['/', '/login', '/cluster/$id'],
    connect: ['https://api.example'],
    config: () => config,
    scanner: false,
    moved: { from: ['old.example', 'console.example'], to: 'https://console.example' },
  })
})
afterEach(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

const navigate = (url: string) => app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml' } })

it('answers a page whatever type is named, or none: that is how sites are watched', async () => {
  for (const [url, headers] of [
    ['/', {}],
    ['/', { accept: '*/*' }],
    ['/login?a=1', {}],
    ['/cluster/1', { accept: '*/*' }],
  ] as const) {
    const answer = await app.inject({ url, headers })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  }
})

it('names what is wrong with a request that a library refuses, without its words', async () => {
  const range = { url: '/assets/main-1234.js', headers: { range: 'bytes=99999-', 'accept-language': 'zh-CN' } }
  const answer = await app.inject(range)
  expect([answer.statusCode, answer.json().message]).toEqual([416, '请求格式错误：range。'])
})

it.each(['/', '/login', '/login/did:key:z6Mk', '/create/one?x=1', '/no/such/page'])(
  'answers a navigation to %s with the page',
  async (url) => {
    const answer = await navigate(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.body).toContain('<title>Page</title>')
  },
)

it('writes the configuration into the page, whatever names it holds', async () => {
  const [, text = ''] = /<meta name="runtime-config" content="([^"]*)">/.exec((await navigate('/')).body) ?? []
  expect(JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(config)
})

it('gives each page its own nonce, the one that its policy names', async () => {
  const [first, second] = await Promise.all([navigate('/'), navigate('/')])
  const nonceOf = (body: string) => /<meta property="csp-nonce" nonce="([\w-]+)">/.exec(body)?.[1]
  expect(nonceOf(first.body)).toBeDefined()
  expect(nonceOf(first.body)).not.toBe(nonceOf(second.body))
  const policy = String(first.headers['content-security-policy'])
  expect(policy).toContain(`style-src 'self' 'nonce-${nonceOf(first.body)}'`)
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self' https://api.example;")
  expect(policy).not.toMatch(/unsafe/)
})

it('serves hashed files compressed and for ever, others to be asked about again', async () => {
  const asset = await app.inject({ url: '/assets/main-1234.js', headers: { 'accept-encoding': 'gzip, br' } })
  expect(asset.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringContaining('javascript'),
  })
  expect((await app.inject('/assets/main-1234.js')).body).toBe(script)
  expect((await app.inject('/icon.svg')).headers['cache-control']).toBe('no-cache')
})

it('does not take anything else for a navigation', async () => {
  for (const url of ['/assets/gone-9999.js', '/no/such/page', '/cluster/1/2', '/v1/login']) {
    const answer = await app.inject({ url, headers: { accept: '*/*' } })
    expect([answer.statusCode, answer.json().code]).toEqual([url.startsWith('/v1/') ? 200 : 404, 404])
  }
  expect((await app.inject({ method: 'POST', url: '/login', headers: { accept: 'text/html' } })).statusCode).toBe(404)
  const call = await navigate('/v1/unknown')
  expect([call.statusCode, call.json().code]).toEqual([200, 404])
})

it.each(['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json', '/.sources', '/assets/%00'])(
  'gives nothing away at %s',
  async (url) => {
    const answer = await app.inject({ url, headers: { accept: '*/*' } })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toContain('not for visitors')
  },
)

it('says what to do when the pages are not built', async () => {
  const bare = fastify()
  await serveSpa(bare, { dist: join(dist, 'missing'), pages: [], connect: [], scanner: true })
  const answer = await bare.inject({ url: '/', headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm run build')])
  await bare.close()
})

it('leads from an earlier host to the same page of the one of now, and answers files and calls there as before', async () => {
  const at = (url: string, host = 'old.example') => app.inject({ url, headers: { host, accept: 'text/html' } })
  for (const url of ['/cluster/1?tab=backups', '/no-such-page']) {
    const { statusCode, headers } = await at(url)
    expect([statusCode, headers.location]).toEqual([302, `https://console.example${url}`])
  }
  expect((await at('/v1/real')).body).toBe('answer')
  expect((await at('/assets/main-1234.js')).statusCode).toBe(200)
  expect((await at('/v1/none')).headers.location).toBeUndefined()
  expect((await navigate('/login')).statusCode).toBe(200)
  expect((await at('/login', 'console.example')).statusCode, 'an earlier name that is in use again').toBe(200)
})
