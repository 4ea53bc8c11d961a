/**
 * Talks to LXD's REST API over a unix socket or HTTPS with a client certificate. Several endpoints are members of one
 * cluster: whichever answered last is asked first, and one that cannot be connected to is passed over.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher, type FormData, request } from 'undici'
import type { z } from 'zod'
import { OperatorError } from '../../../../platform/operator-error.ts'
import type { LxdSettings } from '../../../catalog/index.ts'
import { Envelope, LxdError, Operation } from './lxd-answers.ts'

/** Larger answers are not read: a list of some ten thousand instances stays below. Bytes. */
const answerLimit = 64 * 1024 * 1024
const connectTimeoutMs = 3000
/** How long LXD may take for one answer; members ask each other for up to 10 s before they give up. ms */
const answerTimeoutMs = 15_000
/** How long one question whether an operation has ended is left open, s. */
const waitSeconds = 10
/** In a cluster that question may be answered at once with "still running". ms */
const askAgainMs = 50
/** A daemon refuses while another operation of the same instance runs; longer than a graceful stop. ms */
const busyLimitMs = 30_000
const busyRetryMs = 100

type Query = Record<string, string | undefined>

export interface LxdClient {
  /** Undefined when LXD has no such thing. */
  find<T extends z.ZodType>(path: string, shape: T, query?: Query): Promise<z.output<T> | undefined>
  get<T extends z.ZodType>(path: string, shape: T, query?: Query): Promise<z.output<T>>
  /** Carries out one change to its end, though LXD does it in the background. Throws `LxdError` when it fails. */
  change(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options?: ChangeOptions): Promise<void>
  /**
   * For a WebSocket: where to open it, and over what. `leave` lets the next request go to another endpoint, unless a
   * request that failed has left this one already.
   */
  upgrade(path: string, query?: Query): { url: string; dispatcher: Dispatcher; leave(): void }
  close(): Promise<void>
}

interface ChangeOptions {
  query?: Query
  body?: object
  upload?: FormData
  timeoutMs?: number
}

interface Endpoint {
  /** As the operator wrote it. */
  name: string
  origin: string
  dispatcher: Dispatcher
}

/** POSTs an object that must exist only once; false: it exists already. */
export async function makeOnce(client: LxdClient, path: string, options: ChangeOptions): Promise<boolean> {
  try {
    await client.change('POST', path, options)
    return true
  } catch (error) {
    if (error instanceof LxdError && error.isConflict) return false
    throw error
  }
}

export function createLxdClient(settings: LxdSettings): LxdClient {
  const endpoints = settings.endpoints.map((endpoint) => openEndpoint(endpoint, settings))
  let preferred = 0
  const current = (): Endpoint => {
    const endpoint = endpoints[preferred % endpoints.length]
    if (!endpoint) throw new Error('There is no endpoint') // the settings have one at least
    return endpoint
  }
  /** Concurrent requests to the same endpoint fail, too; only the first failure moves on to another endpoint. */
  const leave = (endpoint: Endpoint) => {
    if (endpoint === current()) preferred = (preferred + 1) % endpoints.length
  }

  async function send(
    method: Dispatcher.HttpMethod,
    path: string,
    { query = {}, body, upload, timeoutMs = answerTimeoutMs }: ChangeOptions = {},
  ): Promise<Dispatcher.ResponseData> {
    for (let tried = 1; ; tried += 1) {
      const endpoint = current()
      const { origin, dispatcher, name } = endpoint
      try {
        return await request(origin + pathWith(path, query), {
          dispatcher,
          method,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          ...(upload ? { body: upload } : body && { body: JSON.stringify(body) }),
          ...(body && { headers: { 'content-type': 'application/json' } }),
        })
      } catch (error) {
        leave(endpoint)
        // Nothing was asked of an endpoint that could not be connected to, so the next may be asked the same.
        if (isUnconnected(error) && tried < endpoints.length) continue
        // Owners read the message; where LXD is, and why it cannot be reached, is for the operator's log.
        const cause = new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
        throw new LxdError('LXD does not answer', { status: 0, cause })
      }
    }
  }

  async function ask(
    method: Dispatcher.HttpMethod,
    path: string,
    options?: ChangeOptions,
  ): Promise<z.output<typeof Envelope>> {
    const response = await send(method, path, options)
    const text = await readLimited(response)
    let envelope: z.output<typeof Envelope>
    try {
      envelope = Envelope.parse(JSON.parse(text))
    } catch (error) {
      throw new LxdError(`LXD answers ${path} with something else than LXD's API`, { status: 0, cause: error })
    }
    if (envelope.type === 'error') throw new LxdError(envelope.error, { status: envelope.error_code })
    return envelope
  }

  async function get<T extends z.ZodType>(path: string, shape: T, query: Query = {}): Promise<z.output<T>> {
    const { metadata } = await ask('GET', path, { query })
    const parsed = shape.safeParse(metadata)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new LxdError(`LXD answers ${path} in an unknown form: ${issue?.path.join('.')} ${issue?.message}`, {
      status: 0,
    })
  }

  async function changeOnce(method: Dispatcher.HttpMethod, path: string, options: ChangeOptions): Promise<void> {
    const { type, operation } = await ask(method, path, options)
    if (type !== 'async') return
    // The answer names it; whether it succeeded is known when it has ended.
    const query = { timeout: String(waitSeconds) }
    for (;;) {
      const { status_code, err } = await get(`${operation}/wait`, Operation, query)
      if (status_code >= 400) throw new LxdError(err, { status: status_code })
      if (status_code >= 200) return
      await delay(askAgainMs)
    }
  }

  return {
    get,
    async find(path, shape, query) {
      return await orUndefined(get(path, shape, query))
    },
    async change(method, path, options = {}) {
      const deadline = performance.now() + busyLimitMs
      for (;;) {
        try {
          return await changeOnce(method, path, options)
        } catch (error) {
          if (!(error instanceof LxdError && error.isBusy) || performance.now() > deadline) throw error
        }
        await delay(busyRetryMs)
      }
    },
    upgrade(path, query = {}) {
      const endpoint = current()
      const { origin, dispatcher } = endpoint
      const url = origin.replace(/^http/, 'ws') + pathWith(path, query)
      return { url, dispatcher, leave: () => leave(endpoint) }
    },
    async close() {
      await Promise.all(endpoints.map(({ dispatcher }) => dispatcher.destroy()))
    },
  }
}

/** `answer`, or undefined when LXD says that there is no such thing. */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof LxdError && error.status === 404) return undefined
    throw error
  }
}

function openEndpoint(endpoint: string, settings: LxdSettings): Endpoint {
  // LXD's events are a WebSocket, which HTTP/2 of LXD does not carry.
  const limits = { connectTimeout: connectTimeoutMs, maxResponseSize: answerLimit, allowH2: false }
  if (endpoint.startsWith('/')) {
    const dispatcher = new Agent({ ...limits, connect: { socketPath: endpoint } })
    return { name: endpoint, origin: 'http://lxd', dispatcher }
  }
  const connect = {
    cert: pem(settings.clientCert),
    key: pem(settings.clientKey),
    ca: pem(settings.serverCert),
    // LXD signs its certificate itself and names no address in it: that very certificate is what is trusted.
    checkServerIdentity: () => undefined,
  }
  return { name: endpoint, origin: new URL(endpoint).origin, dispatcher: new Agent({ ...limits, connect }) }
}

function pem(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`A certificate of LXD cannot be read: ${reason}`, { cause: error })
  }
}

async function readLimited({ body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await body.text()
  } catch (error) {
    throw new LxdError('LXD broke off its answer', { status: 0, cause: error })
  }
}

function pathWith(path: string, query: Query): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

const unconnectedCodes = [
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]

function isUnconnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unconnectedCodes.includes(String(error.code))
}
