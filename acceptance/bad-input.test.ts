import * as contract from '@atoll/contract'
import {
  type Call,
  clusterActivation,
  clusterMonitor,
  clusterRestart,
  clusterRetry,
  clusterStart,
  clusterStop,
  clusterUsage,
  codes,
  createCluster,
  destroyMaster,
  type Envelope,
  errorCatalogue,
  errorMessage,
  instanceDetails,
  resourceList,
} from '@atoll/contract'
import { createScriptedWallet, type ServerProcess, startServer } from '@atoll/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, createRunningCluster } from './stack/clusters.ts'
import { createPerson, freshName, type Person } from './stack/people.ts'

let server: ServerProcess
let owner: Person
let stranger: Person
let clusterId: string

beforeAll(async () => {
  server = await startServer({ env: { ATOLL_SIGN_IN_RATE: '100000' } })
  owner = await createPerson(server.url)
  stranger = await createPerson(server.url)
  clusterId = (await createRunningCluster(owner.api)).clusterId
})
afterAll(() => server?.dispose())

const calls = Object.values<unknown>(contract).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'auth' in value,
)
const absentId = 'cl_aaaaaaaaaaaaaaaaaaaa'

interface RawRequest {
  type?: string
  body: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Posts exactly these bytes as the owner; every answer of the product API is HTTP 200 with an envelope. */
async function post(path: string, { type, body, headers }: RawRequest): Promise<Envelope<unknown>> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      userid: owner.session.userid,
      token: owner.session.token,
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    body,
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Envelope<unknown>
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

describe('a body that cannot be read', () => {
  const table: { name: string; request: RawRequest; code: number; says: RegExp }[] = [
    { name: 'broken JSON', request: { type: json, body: '{"clusterId":' }, code: 501, says: /json/i },
    { name: 'a JSON list', request: { type: json, body: '[1]' }, code: 501, says: /body|object/i },
    { name: 'a JSON text', request: { type: json, body: '"hello"' }, code: 501, says: /body|object/i },
    { name: 'null', request: { type: json, body: 'null' }, code: 501, says: /body|object|clusterId/i },
    { name: 'an empty body', request: { type: json, body: '' }, code: 501, says: /body|clusterId/i },
    {
      name: 'broken percent encoding',
      request: { type: form, body: 'clusterId=%E0%A4%A' },
      code: 501,
      says: /clusterId/,
    },
    {
      name: 'bytes that are not UTF-8',
      request: { type: form, body: Buffer.from('clusterId=\xff\xfe', 'latin1') },
      code: 501,
      says: /clusterId/,
    },
    {
      name: 'a field given twice',
      request: { type: form, body: 'clusterId=a&clusterId=b' },
      code: 501,
      says: /clusterId/,
    },
    {
      name: 'a list in brackets',
      request: { type: form, body: 'clusterId[]=a&clusterId[]=b' },
      code: 501,
      says: /clusterId/,
    },
    {
      name: 'deep brackets',
      request: { type: form, body: `clusterId${'[a]'.repeat(500)}=1` },
      code: 501,
      says: /clusterId|body/,
    },
    {
      name: 'a prototype in brackets',
      request: { type: form, body: '__proto__[admin]=1' },
      code: 501,
      says: /__proto__|clusterId/,
    },
    {
      name: 'a prototype in JSON',
      request: { type: json, body: '{"__proto__":{"admin":1}}' },
      code: 501,
      says: /__proto__|clusterId|body/,
    },
    {
      name: 'text',
      request: { type: 'text/plain', body: 'clusterId=x' },
      code: codes.unsupportedType,
      says: /application\/json/,
    },
    {
      name: 'XML',
      request: { type: 'application/xml', body: '<a/>' },
      code: codes.unsupportedType,
      says: /application\/json/,
    },
    {
      name: 'a multipart form',
      request: { type: 'multipart/form-data; boundary=x', body: '--x--' },
      code: codes.unsupportedType,
      says: /application\/json/,
    },
    {
      name: '2 MB of JSON',
      request: { type: json, body: JSON.stringify({ clusterId: 'x'.repeat(2 << 20) }) },
      code: 413,
      says: /larger/,
    },
    {
      name: '2 MB of form',
      request: { type: form, body: `clusterId=${'x'.repeat(2 << 20)}` },
      code: 413,
      says: /larger/,
    },
    {
      name: 'ten thousand fields',
      request: { type: form, body: Array.from({ length: 10_000 }, (_, at) => `f${at}=1`).join('&') },
      code: 501,
      says: /f\d|body|fields/,
    },
    {
      name: 'JSON nested a thousand deep',
      request: { type: json, body: `{"clusterId":${'['.repeat(1000)}${']'.repeat(1000)}}` },
      code: 501,
      says: /nested/,
    },
  ]
  it.each(table)('is refused: $name', async ({ request, code, says }) => {
    const answer = await post(instanceDetails.path, request)
    expect(answer).toMatchObject({ code, message: expect.stringMatching(says) })
  })
})

describe('a field that is wrong is named', () => {
  const table: { name: string; call: Call; change: Record<string, unknown>; field: string }[] = [
    { name: 'unknown', call: createCluster, change: { colour: 'red' }, field: 'colour' },
    { name: 'of a later feature', call: createCluster, change: { couponCode: 'X' }, field: 'couponCode' },
    { name: 'missing', call: createCluster, change: { offering: undefined }, field: 'offering' },
    { name: 'empty', call: createCluster, change: { offering: '' }, field: 'offering' },
    { name: 'of another kind', call: createCluster, change: { clusterType: 'SelfHost' }, field: 'clusterType' },
    { name: 'too long', call: createCluster, change: { offering: 'x'.repeat(41) }, field: 'offering' },
    { name: 'not on sale', call: createCluster, change: { offering: 'mainframe' }, field: 'offering' },
    { name: 'an unknown region', call: createCluster, change: { regionId: 'atlantis' }, field: 'regionId' },
    { name: 'an unknown cloud', call: createCluster, change: { cloudName: 'cumulus' }, field: 'cloudName' },
    { name: 'an unknown version', call: createCluster, change: { version: '0.0.0' }, field: 'version' },
    { name: 'a name of one letter', call: createCluster, change: { name: 'x' }, field: 'name' },
    { name: 'a name with markup', call: createCluster, change: { name: '<b>x</b>' }, field: 'name' },
    { name: 'a name with a NUL', call: createCluster, change: { name: 'a\0b' }, field: 'name' },
    { name: 'a name that starts with a hyphen', call: createCluster, change: { name: '-reef' }, field: 'name' },
    { name: 'a short request key', call: createCluster, change: { requestId: 'x' }, field: 'requestId' },
    {
      name: 'an id of another kind',
      call: instanceDetails,
      change: { clusterId: 'in_aaaaaaaaaaaaaaaaaaaa' },
      field: 'clusterId',
    },
    { name: 'an id with a quote', call: instanceDetails, change: { clusterId: "cl_' or 1=1" }, field: 'clusterId' },
    { name: 'an unknown range', call: clusterMonitor, change: { clusterId: absentId, range: '1y' }, field: 'range' },
    {
      name: 'no confirmation',
      call: destroyMaster,
      change: { clusterId: absentId, confirm: 'false' },
      field: 'confirm',
    },
  ]
  it.each(table)('$field, $name', async ({ call, change, field }) => {
    const base = call === createCluster ? await composeOrder(owner.api) : {}
    for (const body of ['form', 'json'] as const) {
      const answer = await owner.api.send(call, { ...base, ...change }, { body })
      expect(answer).toMatchObject({ code: codes.badParameter, message: expect.stringContaining(field) })
    }
  })

  it('and nothing was created by all that', async () => {
    expect(await owner.api.ask(resourceList, {})).toHaveLength(1)
  })
})

describe("someone else's cluster", () => {
  const table: { call: Call; extra?: Record<string, unknown> }[] = [
    { call: instanceDetails },
    { call: clusterUsage },
    { call: clusterMonitor },
    { call: clusterActivation },
    { call: clusterStart },
    { call: clusterStop },
    { call: clusterRestart },
    { call: clusterRetry },
    { call: destroyMaster, extra: { confirm: true } },
  ]
  it.each(table)('answers $call.name as a missing one does', async ({ call, extra }) => {
    const theirs = await stranger.api.send(call, { clusterId, ...extra })
    const missing = await stranger.api.send(call, { clusterId: absentId, ...extra })
    expect(theirs).toEqual(missing)
    expect(theirs.code).toBe(codes.notFound)
  })

  it('is not listed', async () => {
    expect(await stranger.api.ask(resourceList, {})).toEqual([])
    expect(await stranger.api.ask(resourceList, { clusterUserid: owner.session.userid })).toEqual([])
  })
})

describe('an order that does not fit', () => {
  it('is refused without an ID', async () => {
    const { api } = await createPerson(server.url, { name: null })
    const answer = await api.send(createCluster, await composeOrder(api))
    expect(answer.code).toBe(errorCatalogue.idNotBound.code)
  })

  it('is refused under a name that is taken', async () => {
    const [cluster] = await owner.api.ask(resourceList, {})
    const name = cluster?.name ?? ''
    const answer = await owner.api.send(createCluster, await composeOrder(owner.api, { name }))
    expect(answer).toMatchObject({ code: codes.conflict, message: expect.stringContaining(name) })
  })

  it('is refused when the same key came with another body', async () => {
    await using small = await startServer({ env: { ATOLL_VCPU_QUOTA: '1000' } })
    const { api } = await createPerson(small.url)
    const order = await composeOrder(api, { name: 'first', requestId: 'key-for-one-order' })
    await api.ask(createCluster, order)
    const answer = await api.send(createCluster, { ...order, name: 'second' })
    expect(answer).toMatchObject({ code: codes.conflict, message: errorMessage('requestIdReused', 'en-US') })
  })

  it('is refused when it passes the quota, or when creating is not allowed', async () => {
    await using strict = await startServer({ env: { ATOLL_VCPU_QUOTA: '0' } })
    const limited = await createPerson(strict.url)
    const beyond = await limited.api.send(createCluster, await composeOrder(limited.api))
    expect(beyond).toMatchObject({
      code: errorCatalogue.vCpuQuotaPassed.code,
      message: expect.stringContaining('0 vCPU'),
    })
    await strict.dispose()
    await using closed = await startServer({ env: { ATOLL_CAN_CREATE_CLUSTER: 'false' } })
    const barred = await createPerson(closed.url)
    expect(await barred.api.send(createCluster, await composeOrder(barred.api))).toMatchObject({
      code: errorCatalogue.createNotPermitted.code,
      message: errorMessage('createNotPermitted', 'en-US', { product: 'Atoll' }),
    })
  })

  it('is refused for an action that the status does not allow', async () => {
    const answer = await owner.api.send(clusterStart, { clusterId })
    expect(answer.code).toBe(codes.conflict)
  })
})

describe('names', () => {
  const table = [
    ['a@atoll.test', 'nameMalformed'],
    ['Reef@atoll.test', 'nameMalformed'],
    ['re ef@atoll.test', 'nameMalformed'],
    ['re-ef@atoll.test', 'nameMalformed'],
    [`${'x'.repeat(64)}@atoll.test`, 'nameMalformed'],
    ['reef', 'nameMalformed'],
    ['reef@@atoll.test', 'nameMalformed'],
    ['reef@example.com', 'nameDomain'],
    ['admin@atoll.test', 'nameReserved'],
  ] as const
  it.each(table)('%s is refused: %s', async (name, refusal) => {
    const wallet = createScriptedWallet()
    await wallet.register(server.url)
    const answer = await wallet.bindName(server.url, name)
    expect(answer.code).toBe(errorCatalogue[refusal].code)
    expect(answer.message).toContain(errorMessage(refusal, 'en-US').split('{')[0])
  })

  it('cannot be bound with an old signature or by someone unregistered', async () => {
    const wallet = createScriptedWallet()
    expect((await wallet.bindName(server.url, freshName())).code).toBe(errorCatalogue.didUnknown.code)
    await wallet.register(server.url)
    expect((await wallet.bindName(server.url, freshName(), Date.now() - 10 * 60_000)).code).not.toBe(0)
  })

  it.each([
    ['/1.0/identifiers/did:key:nonsense', 400, 'invalidDid'],
    ['/1.0/identifiers/did:web:example.com', 501, 'methodNotSupported'],
    ['/1.0/name/nobody.atoll.test', 404, 'notFound'],
    ['/1.0/identifiers/did%3Akey%3Az6Mk', 400, 'invalidDid'],
  ])('%s answers %i %s as a DIF resolver', async (path, status, error) => {
    const response = await fetch(server.url + path)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ didResolutionMetadata: { error } })
  })
})

describe('every call of the contract', () => {
  it.each(calls.filter((call) => call.auth === 'account'))('$name answers 506 without a session', async (call) => {
    for (const credentials of [undefined, { userid: owner.session.userid, token: 'x'.repeat(43) }]) {
      expect((await owner.api.as(credentials).send(call, {})).code).toBe(codes.signedOut)
    }
  })

  it.each(calls)('$name never fails on its own side, whatever it is sent', async (call) => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(clusterId))
    const keys = fc.constantFrom('clusterId', 'secret', 'jws', 'did', 'confirm', 'name', 'requestId', 'page', 'x[y]')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keys, value), async (body) => {
        // Destroying is the one thing that must not happen by chance here.
        const { confirm: _, ...rest } = body
        const answer = await owner.api.send(call, call === destroyMaster ? rest : body, { body: 'json' })
        expect(answer.code).not.toBe(codes.serverError)
      }),
      { numRuns: 15, seed: 7 },
    )
  })
})

it('nothing of all this was an unexpected error for the server', () => {
  const unexpected = server.log.filter((line) => /"level":(50|60)/.test(line))
  expect(unexpected).toEqual([])
})
