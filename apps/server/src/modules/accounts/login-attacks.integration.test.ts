/**
 * Sign-in as an attacker meets it: over HTTP, with every message that must be refused for its own reason, random
 * bodies, and two servers on one database.
 */
import { randomBytes } from 'node:crypto'
import { activeLogin, login, logout, SignedIn, userInfo } from '@atoll/contract/accounts'
import { type ErrorKey, errorCatalogue } from '@atoll/contract/api'
import { codes } from '@atoll/contract/wire'
import {
  createApiClient,
  createScriptedWallet,
  createSignInCode,
  forgedSignIns,
  type LoginBody,
  openChangeStream,
  postJson,
} from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceApp, startServiceApp } from './service-app.fixture.ts'

let app: ServiceApp
/** A second process on the same database, as `--roles api` would start. */
let second: ServiceApp
let url: string
beforeAll(async () => {
  const first = await startServiceApp()
  app = first
  second = await startServiceApp(first)
  url = `${app.origin}${login.path}`
})
afterAll(async () => {
  const failures = [...app.log, ...second.log].filter((line) => line.includes('"level":"error"'))
  await second[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  expect(failures).toEqual([])
})

const wallet = createScriptedWallet()

/** Which entry of the catalogue an answer is, whatever its parameters; the entry with the most text of its own. */
function refusalOf({ code, message }: { code: number; message: string }): ErrorKey | undefined {
  const ownText = (key: ErrorKey) => errorMessage(key, 'en-US').replace(/\{\w+\}/g, '')
  const keys = (Object.keys(errorCatalogue) as ErrorKey[]).sort((a, b) => ownText(b).length - ownText(a).length)
  return keys.find((key) => {
    const pattern = errorMessage(key, 'en-US')
      .replace(/[.*+?^$()[\]\\|]/g, '\\$&')
      .replace(/\{\w+\}/g, '.+')
    return errorCatalogue[key].code === code && new RegExp(`^${pattern}$`).test(message)
  })
}

describe('each forged sign-in is refused for its own reason', () => {
  test.each(forgedSignIns.map((forged) => [forged.name, forged] as const))('%s', async (_, forged) => {
    const answer = await postJson(url, forged.body(wallet, app.origin))
    expect(refusalOf(answer)).toBe(forged.refusal)
  })

  test.each([
    ['no jws', { did: wallet.did }, 'missingParameter'],
    ['no did', { jws: 'a.b.c' }, 'missingParameter'],
    ['a jws that is a list', { jws: ['a.b.c'], did: wallet.did }, 'badParameter'],
    ['an oversized jws', { jws: `a.${'b'.repeat(9000)}.c`, did: wallet.did }, 'badParameter'],
    ['a kid of another method', { ...honest(), jws: wallet.sign({}, { kid: 'did:web:a.test' }) }, 'jwsIssuer'],
    ['no kid', { ...honest(), jws: wallet.sign({}, { kid: undefined }) }, 'jwsIssuer'],
    ['a signed secret that is too short', signed({ secret: 'a'.repeat(31) }), 'badParameter'],
    ['a signed secret that is an object', signed({ secret: { $ne: null } }), 'badParameter'],
    ['no signed secret', signed({ secret: undefined }), 'missingParameter'],
    ['no signed time', signed({ time: undefined }), 'missingParameter'],
    ['a signed time in seconds', signed({ time: Math.floor(Date.now() / 1000) }), 'codeExpired'],
    ['a signed time beyond all dates', signed({ time: 1e300 }), 'badParameter'],
    ['no exp', signed({ exp: undefined }), 'missingParameter'],
    ['an exp that is text', signed({ exp: '9999999999' }), 'badParameter'],
    ['no iss', signed({ iss: undefined }), 'missingParameter'],
    ['an iss that is another', signed({ iss: createScriptedWallet().kid }), 'jwsIssuer'],
    ['a signature over an activation', signed({ event: 'activate_os' }), 'badParameter'],
    ['an asked DID that is malformed', signed({ did: 'did:key:z6Mk' }), 'badParameter'],
  ] satisfies [string, object, ErrorKey][])('%s', async (_, body, refusal) => {
    expect(refusalOf(await postJson(url, body))).toBe(refusal)
  })

  test('the clock that is off is named with its minutes, in both languages', async () => {
    const ahead = Math.floor(Date.now() / 1000) + 600
    const body = JSON.stringify(signed({ nbf: ahead, exp: ahead + 1000 }))
    const ask = async (locale: string) => {
      const headers = { 'content-type': 'application/json', 'accept-language': locale }
      return (await (await fetch(url, { method: 'POST', headers, body })).json()) as { message: string }
    }
    expect((await ask('en-US')).message).toBe(
      'The clock of the signing device is 10 min ahead. Set it to automatic and try again.',
    )
    expect((await ask('zh-CN')).message).toBe('签名设备的时钟快了 10 分钟，请改为自动设置后重试。')
  })
})

/** An honest approval of a fresh code, with signed claims replaced; `undefined` leaves one out. */
function signed(claims: Record<string, unknown>): LoginBody {
  return wallet.approval(createSignInCode('http://localhost').request, 'scan', claims)
}
function honest(): LoginBody {
  return signed({})
}

describe('unsigned fields never win', () => {
  test('whatever stands beside the signature', async () => {
    const code = createSignInCode(app.origin)
    const other = createSignInCode(app.origin)
    const body = {
      ...wallet.approval(code.request),
      secret: other.secret,
      time: 0,
      exp: 0,
      iss: 'someone',
      userid: createScriptedWallet().did,
      token: 'x',
      body: { secret: other.secret, did: createScriptedWallet().did },
    }
    expect(await postJson(url, body)).toMatchObject({ code: 200 })
    const api = createApiClient(app.origin)
    expect(await api.ask(activeLogin, { secret: other.secret })).toEqual({})
    expect(await api.ask(activeLogin, { secret: code.secret })).toMatchObject({ userid: wallet.did })
  })

  test('nor is a field taken from them that the signature lacks', async () => {
    const { jws, did } = signed({ secret: undefined })
    const secret = randomBytes(16).toString('hex')
    expect(refusalOf(await postJson(url, { jws, did, secret, body: { secret } }))).toBe('missingParameter')
    expect(await createApiClient(app.origin).ask(activeLogin, { secret })).toEqual({})
  })
})

describe('both body shapes and both orders', () => {
  test('the signer is the DID that kid names, whatever DID stands beside the signature', async () => {
    const code = createSignInCode(app.origin)
    const body = { ...wallet.approval(code.request), did: createScriptedWallet().did }
    expect(await postJson(url, body)).toMatchObject({ code: 200 })
    const api = createApiClient(app.origin)
    expect(await api.ask(activeLogin, { secret: code.secret })).toMatchObject({ userid: wallet.did })
  })

  test.each(['scan', 'linking'] as const)('%s signs in', async (shape) => {
    const own = createScriptedWallet()
    const { userid, token } = await own.signIn(app.origin, shape)
    const api = createApiClient(app.origin, { userid, token })
    for (const credentials of ['headers', 'body'] as const) {
      expect(await api.ask(userInfo, {}, { credentials })).toMatchObject({ userid: own.did, planLevelStr: 'Free' })
    }
  })

  test('a device that links itself: a number as id, its own DID asked for, login before the first poll', async () => {
    const code = createSignInCode(app.origin, { did: wallet.did })
    const answer = await postJson(url, { ...wallet.approval(code.request, 'linking'), id: Date.now() })
    expect(answer).toMatchObject({ code: 200 })
    const account = await createApiClient(app.origin).ask(activeLogin, { secret: code.secret }, { body: 'json' })
    expect(account).toMatchObject({ userid: wallet.did })
  })

  test('a code that asks for a DID by its key id', async () => {
    const keyId = (of: string) => `${of}#${of.slice('did:key:'.length)}`
    expect(await postJson(url, signed({ did: keyId(wallet.did) }))).toMatchObject({ code: 200 })
    const other = await postJson(url, signed({ did: keyId(createScriptedWallet().did) }))
    expect(refusalOf(other)).toBe('otherDidExpected')
    expect(refusalOf(await postJson(url, signed({ did: `${wallet.did}#key-1` })))).toBe('badParameter')
  })

  test('as a form, the payload under bracketed fields', async () => {
    const code = createSignInCode(app.origin)
    const answer = await createApiClient(app.origin).send(login, wallet.approval(code.request, 'linking'))
    expect(answer).toMatchObject({ code: 200 })
  })

  test('with fields that this server does not know', async () => {
    const code = createSignInCode(app.origin)
    const version = { appVersion: '1.4.2' }
    expect(await postJson(url, { ...wallet.approval(code.request, 'scan', version), ...version })).toMatchObject({
      code: 200,
    })
    const taken = await postJson(`${app.origin}${activeLogin.path}`, { secret: code.secret, ...version })
    expect(taken).toMatchObject({ code: 200, data: { userid: wallet.did } })
    const named = createScriptedWallet()
    const register = { jws: named.sign({ did: named.kid, ...version }), ...version }
    expect(await postJson(`${app.origin}/create_local`, register)).toMatchObject({ code: 0 })
  })

  test('polling before approval is answered with empty data', async () => {
    const api = createApiClient(app.origin)
    const code = createSignInCode(app.origin)
    expect(await api.send(activeLogin, { secret: code.secret })).toEqual({ code: 200, message: 'success', data: {} })
    await wallet.approve(code.request)
    expect(SignedIn.parse(await api.ask(activeLogin, { secret: code.secret })).userid).toBe(wallet.did)
    expect(await api.ask(activeLogin, { secret: code.secret })).toEqual({})
  })

  test.each([login.path, activeLogin.path])(
    '%s can be called by pages of any origin, without credentials',
    async (path) => {
      const headers = { origin: 'https://settings.reef.example', 'access-control-request-method': 'POST' }
      const preflight = await fetch(app.origin + path, { method: 'OPTIONS', headers })
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  test('and the account’s own calls cannot', async () => {
    const headers = { origin: 'https://settings.reef.example', 'access-control-request-method': 'POST' }
    const preflight = await fetch(app.origin + userInfo.path, { method: 'OPTIONS', headers })
    expect(preflight.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('under /api as well', async () => {
    const answer = await postJson(`${app.origin}/api${activeLogin.path}`, { secret: 'a'.repeat(32) })
    expect(answer).toMatchObject({ code: 200, data: {} })
  })
})

describe('two servers on one database', () => {
  test('hand out one session to polls at both', async () => {
    const code = createSignInCode(second.origin)
    await wallet.approve(code.request)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        createApiClient(at % 2 ? app.origin : second.origin).ask(activeLogin, { secret: code.secret }),
      ),
    )
    expect(answers.filter((answer) => 'userid' in answer)).toHaveLength(1)
  })

  test('accept one of two phones', async () => {
    const code = createSignInCode(app.origin)
    const phones = Array.from({ length: 8 }, () => createScriptedWallet())
    const answers = await Promise.all(
      phones.map((phone, at) =>
        postJson(`${at % 2 ? app.origin : second.origin}${login.path}`, phone.approval(code.request)),
      ),
    )
    expect(answers.filter((answer) => answer.code === codes.ok)).toHaveLength(1)
    expect(new Set(answers.filter((answer) => answer.code !== codes.ok).map(refusalOf))).toEqual(new Set(['codeUsed']))
  })

  test('both end a session that one ended, its streams too', async () => {
    const account = await createScriptedWallet().signIn(app.origin)
    const stream = await openChangeStream(second.origin, account)
    await createApiClient(app.origin, account).ask(logout, {})
    expect(await stream.ended).toBeUndefined()
    expect(stream.events.map((event) => event.topic)).toEqual(['hello', 'session'])
    expect(await createApiClient(second.origin, account).send(userInfo, {})).toMatchObject({ code: codes.signedOut })
  })
})

describe('random bodies', () => {
  const key = fc.constantFrom(
    'id',
    'jws',
    'did',
    'body',
    'secret',
    'time',
    'userid',
    'token',
    '__proto__',
    'constructor',
  )
  const jwsPart = fc.oneof(
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
    fc.constantFrom(...wallet.sign({ secret: 'a'.repeat(32), time: Date.now() }).split('.')),
    fc.base64String(),
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constant(wallet.did),
    fc.string({ unit: 'binary' }),
    fc.array(jwsPart, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.')),
    // Everything right but for one random claim.
    fc
      .tuple(fc.constantFrom('secret', 'time', 'did', 'iss', 'nbf', 'exp'), fc.jsonValue({ maxDepth: 1 }))
      .map(([name, claim]) => signed({ [name]: claim }).jws),
  )
  const body = fc.dictionary(key, value, { maxKeys: 5 })
  const expected = new Set<number>([codes.badParameter, codes.forbidden, codes.conflict, codes.ok])

  test('are answered, never with a failure of the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(login.path, activeLogin.path, '/create_local', '/bind_name'),
        async (fields, path) => {
          const response = await fetch(`${app.origin}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ did: wallet.did, ...fields }),
          })
          expect(response.status).toBe(200)
          const { code } = (await response.json()) as { code: number }
          expect(expected.has(code) || code === 0 || code === codes.notFound).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('raw bytes of any type are, too', async () => {
    const types = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), types, async (bytes, type) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': type },
          body: Uint8Array.from(bytes),
        })
        expect(response.status).toBe(200)
        expect(((await response.json()) as { code: number }).code).not.toBe(codes.serverError)
      }),
      { numRuns: 200 },
    )
  })
})

test('what was logged holds no secret', async () => {
  const code = createSignInCode(app.origin)
  const body = wallet.approval(code.request)
  await postJson(url, body)
  const account = SignedIn.parse(await createApiClient(app.origin).ask(activeLogin, { secret: code.secret }))
  await createApiClient(app.origin, account).ask(userInfo, {})
  await postJson(url, body)
  const log = app.log.join('')
  expect(log).toContain(login.path)
  for (const secret of [code.secret, account.token, body.jws]) expect(log).not.toContain(secret)
})
