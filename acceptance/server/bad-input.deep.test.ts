import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { clusterMonitor, createCluster, destroyMaster, instanceDetails, resourceList } from '@atoll/contract/clusters'
import * as contract from '@atoll/contract/everything'
import { type Call, codes, type Envelope, needsSession } from '@atoll/contract/wire'
import { operatorProgram, type ServerProcess, startServer } from '@atoll/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, createRunningCluster } from '../stack/clusters.ts'
import { createPerson, type Person } from '../stack/people.ts'

let server: ServerProcess
let owner: Person
let clusterId: string

beforeAll(async () => {
  server = await startServer({ env: { ATOLL_SIGN_IN_RATE: '100000' } })
  owner = await createPerson(server.url)
  clusterId = (await createRunningCluster(owner.api)).clusterId
  // Whom no call is hidden from.
  const admin = operatorProgram('admin/admin.ts')
  const env = { ...process.env, ATOLL_DATA_DIR: server.dataDir }
  await promisify(execFile)(process.execPath, [admin, 'staff', owner.session.userid, 'operator'], { env })
})
afterAll(() => server?.dispose())

const calls = Object.values<unknown>(contract).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
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
      says: /nesting/,
    },
  ]
  it.each(table)('is refused: $name', async ({ request, code, says }) => {
    const answer = await post(instanceDetails.path, request)
    expect(answer).toMatchObject({ code, message: expect.stringMatching(says) })
  })
})

describe('a field that is wrong is named', () => {
  /** `field`: its name on the wire, or where the catalogue decides, what people call it, with the value. */
  const table: { name: string; call: Call; change: Record<string, unknown>; field: string }[] = [
    { name: 'unknown', call: createCluster, change: { colour: 'red' }, field: 'colour' },
    { name: 'of a later feature', call: createCluster, change: { restore: { backupId: 'X' } }, field: 'restore' },
    { name: 'an empty coupon', call: createCluster, change: { couponCode: ' ' }, field: 'couponCode' },
    { name: 'missing', call: createCluster, change: { offering: undefined }, field: 'offering' },
    { name: 'empty', call: createCluster, change: { offering: '' }, field: 'offering' },
    { name: 'of another kind', call: createCluster, change: { clusterType: 'Hybrid' }, field: 'clusterType' },
    { name: 'of the other flavour', call: createCluster, change: { clusterType: 'SelfHost' }, field: 'reverseProxy' },
    { name: 'too long', call: createCluster, change: { offering: 'x'.repeat(41) }, field: 'offering' },
    { name: 'not on sale', call: createCluster, change: { offering: 'mainframe' }, field: 'size mainframe' },
    { name: 'an unknown region', call: createCluster, change: { regionId: 'atlantis' }, field: 'region atlantis' },
    { name: 'an unknown cloud', call: createCluster, change: { cloudName: 'cumulus' }, field: 'cloud cumulus' },
    { name: 'an unknown version', call: createCluster, change: { version: '0.0.0' }, field: 'Version 0.0.0' },
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
      name: 'neither yes nor no',
      call: destroyMaster,
      change: { clusterId: absentId, confirm: 'perhaps' },
      field: 'confirm',
    },
  ]
  it.each(table)('$field is named where it is wrong: $name', async ({ call, change, field }) => {
    const base = call === createCluster ? await composeOrder(owner.api) : {}
    for (const body of ['form', 'json'] as const) {
      const answer = await owner.api.send(call, { ...base, ...change }, { body })
      expect(answer).toMatchObject({ code: codes.badParameter, message: expect.stringContaining(field) })
    }
  })

  it('as is a coupon that does not exist, of an order that costs nothing, too', async () => {
    const order = await composeOrder(owner.api, { couponCode: 'NOWHERE' })
    const answer = await owner.api.send(createCluster, order)
    expect(answer).toMatchObject({ code: codes.conflict, message: expect.stringContaining('coupon NOWHERE') })
  })

  it('and nothing was created by all that', async () => {
    expect(await owner.api.ask(resourceList, {})).toHaveLength(1)
  })
})

describe('every call of the contract', () => {
  it.each(calls.filter((call) => needsSession(call.reach)))('$name answers 506 without a session', async (call) => {
    for (const credentials of [undefined, { userid: owner.session.userid, token: 'x'.repeat(43) }]) {
      expect((await owner.api.as(credentials).send(call, {})).code).toBe(codes.signedOut)
    }
  })

  it.each(calls)('$name refuses half of a character and a null character by the name of the field', async (call) => {
    for (const [body, field, encoding] of [
      [{ restore: { backupId: 'a\ud800' } }, 'restore[backupId]', 'json'],
      [{ name: 'a\0b' }, 'name', 'form'],
    ] as const) {
      const answer = await owner.api.send(call, body, { body: encoding })
      expect(answer).toMatchObject({ code: codes.badParameter, message: expect.stringContaining(`${field}: `) })
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
      { numRuns: 5, seed: 7 },
    )
  })
})

it('nothing of all this was an unexpected error for the server', () => {
  const unexpected = server.log.filter((line) => /"level":(50|60)/.test(line))
  expect(unexpected).toEqual([])
})
