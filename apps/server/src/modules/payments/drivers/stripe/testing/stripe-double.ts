/**
 * Speaks Stripe's protocol over real HTTP, as far as the driver uses it: key, version, form bodies with exactly the
 * parameters that are allowed, idempotency keys, error bodies, cursorless lists. Cards behave as Stripe's test numbers.
 * It can lose a request or its answer, and be wrong on purpose once.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parse } from 'qs'
import Stripe from 'stripe'
import { z } from 'zod'
import { StripeFault, type StripeHarness, stripeHarness } from './stripe-harness.ts'

export const doubleKey = 'sk_test_double'
export const doubleWebhookSecret = 'whsec_double'

/** `malformed`: JSON of another shape; `huge`: 2 MB; `page`: HTML of a proxy; `hang`: headers, and then nothing. */
export type Lie = 'malformed' | 'huge' | 'page' | 'hang'

export interface StripeDouble {
  url: string
  harness: StripeHarness
  /** Each request that was understood, as `POST /v1/refunds`. */
  requests: string[]
  loseNext(when: 'before' | 'after'): void
  lieNext(lie: Lie): void
  /** Idempotency keys of the requests that arrived. */
  keys: string[]
  /** The next request, or the next such one, fails with 500 and has no effect; Stripe repeats that under its key. */
  breakNext(line?: string): void
  signWebhook(payload: string, at: Date): string
  close(): Promise<void>
}

export async function startStripeDouble(): Promise<StripeDouble> {
  const harness = stripeHarness()
  const kept = new Map<string, { request: string; status: number; body: unknown }>()
  const requests: string[] = []
  let lost: 'before' | 'after' | undefined
  let lie: Lie | undefined
  const keys: string[] = []
  let breaking: string | undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const [losing, lying] = [lost, lie]
    lost = undefined
    lie = undefined
    if (losing === 'before') return void response.destroy()
    const { status, body: answer, isRepeated } = answerOnce(request, body)
    if (losing === 'after') return void response.destroy()
    if (lying) return sendLie(response, lying)
    if (isRepeated) response.setHeader('Idempotent-Replayed', 'true')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  /** A key that was used answers as it did, unless the request is another. */
  function answerOnce(request: IncomingMessage, body: string): { status: number; body: unknown; isRepeated?: true } {
    const line = `${request.method} ${request.url}`
    const key = request.headers['idempotency-key']
    if (typeof key === 'string') keys.push(key)
    const before = typeof key === 'string' ? kept.get(key) : undefined
    if (before && before.request !== line + body)
      return errorBody(new StripeFault(400, { type: 'idempotency_error', message: 'Keys for other parameters.' }))
    if (before) return { ...before, isRepeated: true }
    const answer = answerCall(request, body)
    if (typeof key === 'string') kept.set(key, { request: line + body, ...answer })
    return answer
  }

  function answerCall(request: IncomingMessage, body: string): { status: number; body: unknown } {
    try {
      checkHead(request)
      const url = new URL(request.url ?? '/', 'http://double')
      if (breaking !== undefined && `${request.method} ${url.pathname}`.startsWith(breaking)) {
        breaking = undefined
        throw new StripeFault(500, { type: 'api_error', message: 'Something went wrong.' })
      }
      requests.push(`${request.method} ${url.pathname}`)
      const params = parse(request.method === 'POST' ? body : url.search.slice(1), { depth: 8 })
      return { status: 200, body: harness.call(request.method ?? '', url.pathname, params, keyOf(request)) }
    } catch (error) {
      if (error instanceof StripeFault) return errorBody(error)
      if (error instanceof z.ZodError) {
        const issue = error.issues[0]
        const param = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.')
        const code = issue?.code === 'unrecognized_keys' ? 'parameter_unknown' : 'parameter_invalid'
        return errorBody(new StripeFault(400, { type: 'invalid_request_error', code, param, message: 'Parameters.' }))
      }
      throw error
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server that listens
  return {
    url: `http://127.0.0.1:${port}`,
    harness,
    requests,
    loseNext: (when) => {
      lost = when
    },
    lieNext: (next) => {
      lie = next
    },
    keys,
    breakNext: (line = '') => {
      breaking = line
    },
    signWebhook: (payload, at) =>
      new Stripe(doubleKey).webhooks.generateTestHeaderString({
        payload,
        secret: doubleWebhookSecret,
        timestamp: Math.floor(at.getTime() / 1000),
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendLie(response: ServerResponse, lie: Lie): void {
  if (lie === 'page') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  response.writeHead(200, { 'content-type': 'application/json' })
  if (lie === 'malformed') response.end(JSON.stringify({ id: 7, status: randomBytes(4).toString('hex') }))
  if (lie === 'huge') response.end(JSON.stringify({ id: 'pi_1', padding: 'x'.repeat(2_000_000) }))
  if (lie === 'hang') response.write('{"id":')
}

function checkHead({ headers, method }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${doubleKey}`)
    throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key.' })
  if (headers['stripe-version'] !== Stripe.API_VERSION)
    throw new StripeFault(400, { type: 'invalid_request_error', param: 'stripe-version', message: 'Another version.' })
  if (method === 'POST' && !headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    throw new StripeFault(400, { type: 'invalid_request_error', param: 'content-type', message: 'Not a form.' })
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

function errorBody({ status, error }: StripeFault): { status: number; body: unknown } {
  return { status, body: { error } }
}
