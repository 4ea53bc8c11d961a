import { userInfo } from '@atoll/contract/accounts'
import { identityCalls } from '@atoll/contract/identity'
import { codes } from '@atoll/contract/wire'
import {
  createApiClient,
  createScriptedWallet,
  createSignInCode,
  openChangeStream,
  postJson,
  type ScriptedWallet,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ServiceApp, startServiceApp } from '../accounts/service-app.fixture.ts'

let app: ServiceApp
beforeAll(async () => {
  app = await startServiceApp()
})
afterAll(async () => {
  const failures = app.log.filter((line) => line.includes('"level":"error"'))
  await app[Symbol.asyncDispose]()
  expect(failures).toEqual([])
})

let serial = 0
function newName(domain = 'atoll.test'): string {
  serial += 1
  return `reef${serial}@${domain}`
}

async function registered(): Promise<ScriptedWallet> {
  const wallet = createScriptedWallet()
  await wallet.register(app.origin)
  return wallet
}

function bind(wallet: ScriptedWallet, name: string, time = app.clock.now().getTime()) {
  return wallet.bindName(app.origin, name, time)
}

async function dottedNameOf(wallet: ScriptedWallet): Promise<string> {
  return String((await get(`/get_name_by_did/${wallet.did}`)).body['data'])
}

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${app.origin}${path}`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('registering a DID', () => {
  test('succeeds, and again', async () => {
    const wallet = createScriptedWallet()
    const jws = wallet.sign({ did: wallet.kid })
    for (const _ of [1, 2]) expect(await postJson(`${app.origin}/create_local`, { jws })).toMatchObject({ code: 0 })
  })

  test('takes a form too', async () => {
    const wallet = createScriptedWallet()
    const response = await fetch(`${app.origin}/create_local`, {
      method: 'POST',
      body: new URLSearchParams({ jws: wallet.sign({ did: wallet.kid }) }),
    })
    expect(await response.json()).toMatchObject({ code: 0 })
  })

  test('by ten requests at once makes one', async () => {
    const wallet = createScriptedWallet()
    await Promise.all(Array.from({ length: 10 }, () => wallet.register(app.origin)))
    const rows = await app.db.selectFrom('dids').select('did').where('did', '=', wallet.did).execute()
    expect(rows).toHaveLength(1)
  })

  const reef = createScriptedWallet()
  const other = createScriptedWallet()
  test.each([
    ['nothing', {}, codes.badParameter],
    ['no JWS', { jws: 'x' }, codes.badParameter],
    ['a list', { jws: [reef.sign({ did: reef.kid })] }, codes.badParameter],
    ['an oversized JWS', { jws: `a.${'b'.repeat(9000)}.c` }, codes.badParameter],
    ['a signature for another DID', { jws: reef.sign({ did: other.kid }) }, codes.forbidden],
    ['a forged kid', { jws: other.sign({ did: reef.kid }, { kid: reef.kid }) }, codes.forbidden],
    ['alg none', { jws: reef.sign({ did: reef.kid }, { alg: 'none' }) }, codes.badParameter],
    ['no did', { jws: reef.sign({}) }, codes.badParameter],
    ['a did of another method', { jws: reef.sign({ did: 'did:web:a.test' }) }, codes.badParameter],
    ['an expired signature', { jws: reef.sign({ did: reef.kid, exp: 1 }) }, codes.forbidden],
  ])('with %s is refused', async (_, body, code) => {
    const answer = await postJson(`${app.origin}/create_local`, body)
    expect(answer).toMatchObject({ code })
    expect(answer.message).toMatch(/\w{3}/)
  })
})

describe('binding a name', () => {
  test('binds it both ways, and again', async () => {
    const wallet = await registered()
    const name = newName()
    const dotted = name.replace('@', '.')
    expect(await get(`/name_taken/${dotted}`)).toMatchObject({ status: 200, body: { code: 0, data: false } })
    for (const _ of [1, 2]) expect(await bind(wallet, name)).toEqual({ code: 0, message: 'success', data: dotted })
    expect(await get(`/get_name_by_did/${wallet.did}`)).toEqual({
      status: 200,
      body: { code: 0, message: 'success', data: dotted },
    })
    expect(await get(`/get_name_by_did/${encodeURIComponent(wallet.kid)}`)).toMatchObject({ body: { data: dotted } })
    expect(await get(`/name_taken/${dotted}`)).toMatchObject({ status: 200, body: { code: 0, data: true } })
    expect((await get(`/1.0/name/${dotted}`)).body).toEqual((await get(`/1.0/identifiers/${wallet.did}`)).body)
  })

  test('works under each domain that is offered', async () => {
    expect(await get('/name_domains')).toMatchObject({ body: { code: 0, data: ['atoll.test', 'reef.test'] } })
    expect(await bind(await registered(), newName('reef.test'))).toMatchObject({ code: 0 })
  })

  test('wanted by ten at once goes to one', async () => {
    const name = newName()
    const wallets = await Promise.all(Array.from({ length: 10 }, registered))
    const answers = await Promise.all(wallets.map((wallet) => bind(wallet, name)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(answers.filter((answer) => answer.code === codes.conflict)).toHaveLength(9)
    expect(answers.find((answer) => answer.code !== 0)?.message).toBe(`${name} is taken. Choose another name.`)
  })

  test('of ten names wanted at once a DID gets one', async () => {
    const wallet = await registered()
    const answers = await Promise.all(Array.from({ length: 10 }, () => bind(wallet, newName())))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
  })

  test('that is taken, from someone who has one already, says the latter', async () => {
    const [first, second] = [await registered(), await registered()]
    const [taken, own] = [newName(), newName()]
    await bind(first, taken)
    await bind(second, own)
    expect(await bind(second, taken)).toEqual({
      code: codes.conflict,
      message: `This DID already has the name ${own}.`,
    })
  })

  test.each([
    ['r@atoll.test', codes.badParameter],
    [`${'r'.repeat(64)}@atoll.test`, codes.badParameter],
    ['Reef@atoll.test', codes.badParameter],
    ['re-ef@atoll.test', codes.badParameter],
    ['réef@atoll.test', codes.badParameter],
    ['reef', codes.badParameter],
    ['reef@@atoll.test', codes.badParameter],
    ['reef@atoll.test\0', codes.badParameter],
    ['reef@other.test', codes.badParameter],
    ['admin@atoll.test', codes.conflict],
    ['www@reef.test', codes.conflict],
    ['atoll@atoll.test', codes.conflict],
  ])('%j is refused', async (name, code) => {
    const answer = await bind(await registered(), name)
    expect(answer.code).toBe(code)
    expect(answer.message).toMatch(/\bIDs?\b|reserved|not offered|null character/)
  })

  test('of the longest and the shortest name works', async () => {
    expect(await bind(await registered(), `${'z'.repeat(63)}@atoll.test`)).toMatchObject({ code: 0 })
    expect(await bind(await registered(), '0z@atoll.test')).toMatchObject({ code: 0 })
  })

  test('by a scanned code with a name slipped in is refused', async () => {
    const wallet = await registered()
    const { jws } = wallet.approval(createSignInCode(app.origin, { did: wallet.did }).request, 'scan', {
      name: newName(),
    })
    const answer = await postJson(`${app.origin}/bind_name`, { jws })
    expect(answer).toMatchObject({ code: codes.badParameter, message: expect.stringContaining('secret') })
  })

  test('needs a registered DID', async () => {
    expect(await bind(createScriptedWallet(), newName())).toMatchObject({ code: codes.notFound })
  })

  test.each([
    ['149 s old', -149_000, 'success'],
    ['10 min old', -600_000, '10 min ago'],
    ['29 s ahead', 29_000, 'success'],
    ['10 min ahead', 600_000, '10 min ahead'],
  ])('signed by a clock that is %s', async (_, shift, message) => {
    const wallet = await registered()
    onTestFinished(() => app.clock.follow())
    app.clock.set(new Date())
    expect((await bind(wallet, newName(), app.clock.now().getTime() + shift)).message).toContain(message)
  })

  test('is refused in the language asked for', async () => {
    const wallet = await registered()
    const response = await fetch(`${app.origin}/bind_name`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'zh-CN' },
      body: JSON.stringify({ jws: wallet.sign({ name: 'root@atoll.test', did: wallet.kid, time: Date.now() }) }),
    })
    expect(await response.json()).toEqual({
      code: codes.conflict,
      field: 'name',
      message: 'root@atoll.test 是保留名称，请换一个。',
    })
  })

  test('notifies the open consoles of the account', async () => {
    const wallet = await registered()
    const signedIn = await wallet.signIn(app.origin)
    expect(signedIn.terminusName).toBeNull()
    await using stream = await openChangeStream(app.origin, signedIn)
    const name = newName()
    await bind(wallet, name)
    const change = { topic: 'account', id: wallet.did }
    await until('the change is published', () => stream.events.some((event) => event.topic === change.topic))
    expect(stream.events).toContainEqual(change)
    expect(await createApiClient(app.origin, signedIn).ask(userInfo, {})).toMatchObject({ terminusName: name })
  })
})

describe('resolution', () => {
  test('gives a DIF result without an envelope', async () => {
    const wallet = createScriptedWallet()
    const { status, body } = await get(`/1.0/identifiers/${wallet.did}`)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['didDocument', 'didDocumentMetadata', 'didResolutionMetadata'])
    expect(body['didDocument']).toMatchObject({ id: wallet.did, authentication: [wallet.kid] })
  })

  test.each([
    ['/1.0/identifiers/did:key:z6Mk', 400, 'invalidDid'],
    ['/1.0/identifiers/reef', 400, 'invalidDid'],
    ['/1.0/identifiers/did:key:a/b', 400, 'invalidDid'],
    [`/1.0/identifiers/did:key:${':'.repeat(600)}`, 400, 'invalidDid'],
    ['/1.0/identifiers/did:web:example.com', 501, 'methodNotSupported'],
    ['/1.0/name/nobody.atoll.test', 404, 'notFound'],
  ])('%s answers %i %s', async (path, status, error) => {
    expect(await get(path)).toEqual({
      status,
      body: { didResolutionMetadata: { error }, didDocument: null, didDocumentMetadata: {} },
    })
  })

  test.each([
    ['an unknown DID', createScriptedWallet().did, codes.notFound],
    ['no DID', 'reef', codes.badParameter],
  ])('get_name_by_did of %s', async (_, did, code) => {
    expect(await get(`/get_name_by_did/${did}`)).toMatchObject({ status: 200, body: { code } })
  })
})

test('every endpoint of the service is in the OpenAPI document, and answers as it says', async () => {
  const wallet = await registered()
  await bind(wallet, newName())
  const { paths } = (await get('/openapi.json')).body as { paths: Record<string, Record<string, object>> }
  for (const call of identityCalls) {
    expect(paths[call.path]?.[call.method]).toMatchObject({ operationId: call.name })
    if (call.method === 'post') continue // answered above
    const example = call.parameter?.name === 'did' ? wallet.did : await dottedNameOf(wallet)
    const { status, body } = await get(call.path.replace(/\{\w+\}/, example))
    expect(status).toBe(200)
    call.data.parse(call.answer === 'envelope' ? body['data'] : body)
  }
})

test('a path that cannot be decoded, or holds a null byte, is refused in the envelope', async () => {
  const body = { code: codes.badParameter, message: 'The request is malformed: path.' }
  expect(await get('/1.0/identifiers/%E0%A4%A')).toEqual({ status: 400, body })
  expect(await get('/1.0/name/%00')).toEqual({ status: 400, body })
  expect(await get('/get_name_by_did/%00')).toEqual({ status: 400, body })
  expect(await get('/v1/%ff')).toEqual({ status: 200, body })
})

describe('pages of any origin', () => {
  test.each(['/create_local', '/bind_name'])('may post to %s', async (path) => {
    const headers = { origin: 'http://wallet.example', 'access-control-request-method': 'POST' }
    const preflight = await fetch(`${app.origin}${path}`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
    const refused = await fetch(`${app.origin}${path}`, { method: 'POST', headers })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(await refused.json()).toMatchObject({ code: codes.badParameter })
  })

  test.each([
    '/name_domains',
    '/name_taken/nobody.atoll.test',
    '/1.0/name/nobody.atoll.test',
    '/1.0/identifiers/x',
    '/get_name_by_did/x',
  ])('may read %s', async (path) => {
    const response = await fetch(`${app.origin}${path}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})
