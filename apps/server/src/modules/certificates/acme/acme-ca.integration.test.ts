/** What an authority may answer instead of what was asked, and that none of it is taken for anything else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { createAcmeCa } from './acme-ca.ts'
import type { Ca } from './ca.ts'

const database = useDatabase()
const problemOf = (kind: string, detail: string) =>
  JSON.stringify({ type: `urn:ietf:params:acme:error:${kind}`, detail })
let origin: string
let ca: Ca
/** What comes in place of an order; the rest of the directory is well. */
let answerOrder: (reply: ServerResponse) => void
let accounts = 0

function answer({ url }: IncomingMessage, reply: ServerResponse): void {
  reply.setHeader('replay-nonce', 'AAAA')
  if (url === '/dir')
    return void reply.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        newNonce: `${origin}/nonce`,
        newAccount: `${origin}/account`,
        newOrder: `${origin}/order`,
        meta: {},
      }),
    )
  if (url === '/nonce') return void reply.end()
  if (url === '/account') {
    accounts += 1
    reply.writeHead(201, { location: `${origin}/account/1`, 'content-type': 'application/json' })
    return void reply.end('{"status":"valid"}')
  }
  answerOrder(reply)
}
const server = createServer((request, reply) => {
  request.resume().on('end', () => answer(request, reply))
})
const timeout = acme.axios.defaults.timeout

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP listener's address is always this
})
beforeEach(() => {
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
