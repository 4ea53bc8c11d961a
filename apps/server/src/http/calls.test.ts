import { codes } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import type { InjectOptions, Response } from 'light-my-request'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, knownAccount, knownCaller, type TestApp } from './app.fixture.ts'
import { bodyLimit } from './request/body.ts'

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})
afterEach(() => test.app.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const signedIn = { ...knownCaller }

function post(url: string, options: Omit<InjectOptions, 'method' | 'url'> = {}): Promise<Response> {
  return test.app.inject({ method: 'POST', url, ...options })
}

describe('bodies', () => {
  it.each([
    ['a form', form, 'text=hi&nested[list][0][n]=1&nested[list][1][n]=2'],
    ['JSON', json, JSON.stringify({ text: 'hi', nested: { list: [{ n: '1' }, { n: '2' }] } })],
    [
      'JSON with a charset',
      { 'content-type': 'application/json; charset=utf-8' },
      '{"text":"hi","nested":{"list":[{"n":"1"},{"n":"2"}]}}',
    ],
  ])('arrive the same as %s', async (_, headers, payload) => {
    const answer = await post('/v1/test/echo', { headers: { ...headers, ...signedIn }, payload })
    expect(answer.json()).toEqual({
      code: 200,
      message: 'success',
      data: {
        body: { text: 'hi', nested: { list: [{ n: '1' }, { n: '2' }] } },
        account: {
          userid: knownAccount,
          did: knownCaller.userid,
          sessionId: 'ss_1',
          role: 'User',
          ip: '127.0.0.1',
          expiresAt: expect.any(String),
        },
      },
    })
  })

  it.each([
    ['form fields', form, new URLSearchParams({ text: 'hi', ...knownCaller }).toString()],
    ['JSON fields', json, JSON.stringify({ text: 'hi', ...knownCaller })],
  ])('may carry the credentials as %s, which the call does not see', async (_, headers, payload) => {
    const answer = await post('/v1/test/echo', { headers, payload })
    expect(answer.json()).toMatchObject({ code: 200, data: { body: { text: 'hi' } } })
  })

  it('answers under /api too', async () => {
    expect((await post('/api/v2/test/open')).json()).toMatchObject({ code: 200 })
  })
})

describe('what is wrong is named, with HTTP 200', () => {
  const echo = (headers: Record<string, string>, payload: string) => ({
    url: '/v1/test/echo',
    headers: { ...headers, ...signedIn },
    payload,
  })
  const cases: [string, { url: string; headers: Record<string, string>; payload: string }, number, RegExp][] = [
    ['a missing field', echo(form, ''), codes.badParameter, /^text: is missing/],
    ['a field of another type', echo(json, '{"text":5}'), codes.badParameter, /^text: /],
    ['a field that is too long', echo(form, `text=${'x'.repeat(21)}`), codes.badParameter, /^text: .*20/],
    ['a field given twice', echo(form, 'text=a&text=b'), codes.badParameter, /^text: /],
    ['an unknown field', echo(form, 'text=a&colour=red'), codes.badParameter, /^colour: .*no such field/],
    [
      'an unknown nested field',
      echo(form, 'text=a&nested[list][0][m]=1'),
      codes.badParameter,
      /^nested\[list\]\[0\]\[/,
    ],
    ['a field named __proto__', echo(json, '{"text":"a","__proto__":{"x":1}}'), codes.badParameter, /^__proto__: /],
    ['JSON that ends early', echo(json, '{"text":'), codes.badParameter, /^body: not valid JSON/],
    ['JSON that is a list', echo(json, '[1]'), codes.badParameter, /^body: must be an object/],
    [
      'JSON nested too deep',
      echo(json, `{"text":"a","nested":${'['.repeat(30)}${']'.repeat(30)}}`),
      codes.badParameter,
      /^body: .*8 levels/,
    ],
    ['a form nested too deep', echo(form, `nested${'[a]'.repeat(30)}=1`), codes.badParameter, /^body: .*8 levels/],
    [
      'a form with too many fields',
      echo(form, Array.from({ length: 2000 }, (_, i) => `f${i}=1`).join('&')),
      codes.badParameter,
      /^body: .*1000/,
    ],
    [
      'a body that is too large',
      echo(form, `text=${'x'.repeat(bodyLimit)}`),
      codes.tooLarge,
      new RegExp(String(bodyLimit)),
    ],
    ['another content type', echo({ 'content-type': 'text/xml' }, '<text/>'), codes.unsupportedType, /content-type/],
    ['no credentials', { url: '/v1/test/echo', headers: form, payload: 'text=a' }, codes.signedOut, /not signed in/],
    [
      'a wrong token',
      { url: '/v1/test/echo', headers: { ...form, ...signedIn, token: 'wrong' }, payload: 'text=a' },
      codes.signedOut,
      /not signed in/,
    ],
    [
      'a wrong token before a wrong body',
      { url: '/v1/test/echo', headers: { ...form, userid: 'x', token: 'y' }, payload: 'b=1' },
      codes.signedOut,
      /not signed in/,
    ],
    [
      'an unknown call',
      { url: '/v1/test/nothing', headers: form, payload: '' },
      codes.notFound,
      /^This server does not know \/v1\/test\/nothing\. If you were on a page/,
    ],
    [
      'a refusal',
      { url: '/v2/test/open', headers: form, payload: 'fail=refuse' },
      codes.conflict,
      /20 of your 16 vCPU/,
    ],
    [
      'a failure, without its detail',
      { url: '/v2/test/open', headers: form, payload: 'fail=throw' },
      codes.serverError,
      /^Something Wrong/,
    ],
  ]
  it.each(cases)('%s', async (_, { url, headers, payload }, code, message) => {
    const answer = await post(url, { headers, payload })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ code, message: expect.stringMatching(message) })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('in the caller’s language', async () => {
    const headers = { ...form, ...signedIn, 'accept-language': 'fr, zh-Hans;q=0.9, en;q=0.8' }
    const missing = await post('/v1/test/echo', { headers, payload: '' })
    expect(missing.json().message).toBe(errorMessage('missingParameter', 'zh-CN', { field: 'text' }))
    const long = await post('/v1/test/echo', { headers, payload: `text=${'x'.repeat(21)}` })
    expect(long.json().message).toMatch(/\p{Script=Han}/u)
    const own = await post('/v1/test/echo', { headers, payload: 'text=a&cluster=in_aaaaaaaa' })
    expect(own.json().message).toBe('cluster：必须是以 cl_ 开头的 ID')
  })

  it.each([
    ['GET', '/v1/test/echo', 'POST'],
    ['DELETE', '/api/v1/test/echo?x=1', 'POST'],
    ['PUT', '/v1/test/echo/', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['PATCH', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/v1/test/echo', 'POST'],
  ] as const)('%s of %s is HTTP 405 with the methods that there are, in the envelope', async (method, url, allow) => {
    const answer = await test.app.inject({ method, url })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow])
    expect(answer.json()).toMatchObject({ code: 405, message: expect.stringContaining(allow) })
  })

  it('a path that no method has stays unknown', async () => {
    const answer = await test.app.inject({ method: 'PUT', url: '/v1/test/nothing' })
    expect([answer.statusCode, answer.json().code]).toEqual([200, 404])
  })
})

describe('the log', () => {
  it('has a line for each request with its id, and no secret', async () => {
    const id = 'request-0001'
    await post('/v1/test/echo?token=in-the-query', {
      headers: {
        ...form,
        ...signedIn,
        'x-request-id': id,
        authorization: 'Bearer in-a-header',
        cookie: 'syncToken=in-a-cookie',
      },
      payload: 'text=in-the-body',
    })
    const line = test
      .logged()
      .split('\n')
      .find((text) => text.includes(id))
    expect(JSON.parse(line ?? '')).toMatchObject({ requestId: id, method: 'POST', path: '/v1/test/echo', code: 200 })
    expect(JSON.parse(line ?? '')).toMatchObject({ address: '127.0.0.1', account: 'ac_known' })
    for (const secret of [knownCaller.token, 'in-the-query', 'in-a-header', 'in-a-cookie', 'in-the-body']) {
      expect(test.logged()).not.toContain(secret)
    }
  })

  it.each(['en-US', 'zh-CN'] as const)(
    'says that the server is busy when the database is silent, in %s',
    async (locale) => {
      const headers = { ...form, 'accept-language': locale }
      const answer = await post('/v2/test/open', { headers, payload: 'fail=silence' })
      expect(answer.json()).toMatchObject({ code: codes.unavailable, message: errorMessage('busy', locale) })
      expect(test.logged()).toContain('Query read timeout')
    },
  )

  it('logs an unexpected failure once, with its stack', async () => {
    await post('/v2/test/open', { headers: form, payload: 'fail=throw' })
    const failures = test
      .logged()
      .split('\n')
      .filter((text) => text.includes('a detail that callers must not see'))
    expect(failures).toHaveLength(1)
    expect(failures[0]).toContain('"stack"')
  })

  it.each(['short', 'with spaces in it', 'x'.repeat(80)])('does not take over the request id %j', async (id) => {
    const answer = await post('/v2/test/open', { headers: { 'x-request-id': id } })
    expect(answer.headers['x-request-id']).not.toBe(id)
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  })
})
