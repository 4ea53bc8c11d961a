/** Unexpected answers of an authority: none is mistaken for an expected one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { issueByAuthority } from '../testing/issued-by-authority.ts'
import { createAcmeCa } from './acme-ca.ts'
import type { Ca } from './ca.ts'

const database = useDatabase()
const problemOf = (kind: string, detail: string) =>
  JSON.stringify({ type: `urn:ietf:params:acme:error:${kind}`, detail })
let origin: string
let ca: Ca
/** The answer in place of an order; the rest of the directory works. */
let answerOrder: (reply: ServerResponse) => void
let accounts = 0
/** The answer about renewals; undefined: the directory names no such service. */
let answerRenewal: ((reply: ServerResponse, id: string) => void) | undefined
/** Content of each order received. */
const orders: Record<string, unknown>[] = []

function answer({ url = '' }: IncomingMessage, body: string, reply: ServerResponse): void {
  reply.setHeader('replay-nonce', 'AAAA')
  if (url === '/dir')
    return void reply.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        newNonce: `${origin}/nonce`,
        newAccount: `${origin}/account`,
        newOrder: `${origin}/order`,
        ...(answerRenewal && { renewalInfo: `${origin}/renewal` }),
        meta: {},
      }),
    )
  if (url === '/nonce') return void reply.end()
  if (url === '/account') {
    accounts += 1
    reply.writeHead(201, { location: `${origin}/account/1`, 'content-type': 'application/json' })
    return void reply.end('{"status":"valid"}')
  }
  if (url.startsWith('/renewal/')) return void answerRenewal?.(reply, url.slice('/renewal/'.length))
  const { payload } = JSON.parse(body) as { payload: string } // a JWS that we made
  orders.push(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  answerOrder(reply)
}
const server = createServer(async (request, reply) => {
  answer(request, await text(request), reply)
})
const timeout = acme.axios.defaults.timeout

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP listener's address is always this
})
beforeEach(() => {
  answerRenewal = undefined
  orders.length = 0
  const sealer = createSealer(Buffer.alloc(32, 7))
  const clock = { now: () => new Date() }
  ca = createAcmeCa({ db: database.db, clock, sealer, config: { directory: `${origin}/dir` } })
  // An authority that never answers would be waited for as long as a real one.
  acme.axios.defaults.timeout = 300
})
afterAll(async () => {
  acme.axios.defaults.timeout = timeout ?? 0
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const problem =
  (status: number, kind: string, detail: string, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    void reply
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(problemOf(kind, detail))

test.each<[string, (reply: ServerResponse) => void, object]>([
  [
    'a limit, with the time to wait',
    problem(429, 'rateLimited', 'too many certificates', { 'retry-after': '3600' }),
    { kind: 'caLimited', message: 'too many certificates', retryAfterMs: 3_600_000 },
  ],
  ['a limit without a time', problem(403, 'rateLimited', 'slow down'), { kind: 'caLimited', retryAfterMs: undefined }],
  ['a refusal', problem(403, 'rejectedIdentifier', 'not this name'), { kind: 'caRefused', message: 'not this name' }],
  ['a record that forbids it', problem(403, 'caa', 'CAA record for a.example'), { kind: 'caaForbids' }],
  ['an order that is not there', problem(404, 'malformed', 'no such order'), { kind: 'orderGone' }],
  ['a failure of its own', problem(503, 'serverInternal', 'maintenance'), { kind: 'caUnreachable' }],
  ['no answer that ends', () => undefined, { kind: 'caUnreachable' }],
  ['a connection that is cut', (reply) => void reply.destroy(), { kind: 'caUnreachable' }],
])('%s', async (_, broken, fault) => {
  answerOrder = broken
  await expect(ca.order(['cloud.lagoon.example'])).rejects.toMatchObject({ name: 'CaFault', ...fault })
  // One that answers again is asked on, with the account that there was.
  answerOrder = (reply) =>
    void reply
      .writeHead(201, { location: `${origin}/order/1`, 'content-type': 'application/json' })
      .end('{"status":"pending","authorizations":[],"finalize":""}')
  expect(await ca.order(['cloud.lagoon.example'])).toBe(`${origin}/order/1`)
  expect(accounts).toBe(1)
})

const anOrder = (reply: ServerResponse) =>
  void reply
    .writeHead(201, { location: `${origin}/order/2`, 'content-type': 'application/json' })
    .end('{"status":"pending","authorizations":[],"finalize":""}')
const json =
  (body: object, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    void reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const suggestedWindow = { start: '2026-06-01T00:00:00Z', end: '2026-06-03T00:00:00Z' }
const id = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'

test('suggests when to renew a certificate, and is told which one an order replaces', async () => {
  const chain = issueByAuthority()
  const asked: string[] = []
  answerRenewal = (reply, one) => {
    asked.push(one)
    json({ suggestedWindow, explanationURL: 'https://ca.example/why' }, { 'retry-after': '21600' })(reply)
  }
  expect(await ca.renewalOf(chain)).toEqual({
    start: new Date(suggestedWindow.start),
    end: new Date(suggestedWindow.end),
    retryAfterMs: 21_600_000,
  })
  expect(asked).toEqual([id])
  answerOrder = anOrder
  await ca.order(['cloud.lagoon.example'], chain)
  await ca.order(['cloud.lagoon.example'])
  expect(orders.map(({ replaces }) => replaces)).toEqual([id, undefined])

  // Somebody replaced it already (RFC 9773, 5): it is an order like any.
  orders.length = 0
  answerOrder = (reply) =>
    orders.at(-1)?.['replaces'] === undefined
      ? anOrder(reply)
      : problem(409, 'alreadyReplaced', 'there is one in its place')(reply)
  expect(await ca.order(['cloud.lagoon.example'], chain)).toBe(`${origin}/order/2`)
  expect(orders.map(({ replaces }) => replaces)).toEqual([id, undefined])
})

test('is ordered from as ever where the chain that is replaced cannot be read', async () => {
  answerRenewal = json({ suggestedWindow })
  answerOrder = anOrder
  expect(await ca.order(['cloud.lagoon.example'], 'damaged')).toBe(`${origin}/order/2`)
  expect(orders.map(({ replaces }) => replaces)).toEqual([undefined])
})

test('suggests nothing where its directory names no such service, and gets no unknown field', async () => {
  const chain = issueByAuthority()
  expect(await ca.renewalOf(chain)).toBeUndefined()
  answerOrder = anOrder
  await ca.order(['cloud.lagoon.example'], chain)
  expect(orders).toEqual([expect.not.objectContaining({ replaces: expect.anything() })])
})

test.each<[string, (reply: ServerResponse) => void, object]>([
  ['is limited', problem(429, 'rateLimited', 'slow down', { 'retry-after': '600' }), { retryAfterMs: 600_000 }],
  ['is away', problem(503, 'serverInternal', 'maintenance'), { kind: 'caUnreachable' }],
  ['does not know the certificate', problem(404, 'malformed', 'no such certificate'), { kind: 'orderGone' }],
  ['suggests no time', json({ suggestedWindow: {} }), { kind: 'caRefused' }],
  [
    'suggests a time that ends before it begins',
    json({ suggestedWindow: { start: suggestedWindow.end, end: suggestedWindow.start } }),
    { kind: 'caRefused' },
  ],
])('one that %s about renewals is a fault', async (_, answer, fault) => {
  answerRenewal = answer
  await expect(ca.renewalOf(issueByAuthority())).rejects.toMatchObject({ name: 'CaFault', ...fault })
})
