import { type Call, type CallData, type CallInput, type Envelope, type Locale, lookHeader } from '@atoll/contract/wire'

/** The headers of a signed-in caller. */
export interface Credentials {
  userid: string
  token: string
}

export interface AskOptions {
  /** Default `form`, as the console sends. */
  body?: 'form' | 'json'
  /** Where `userid` and `token` go; default `headers`. */
  credentials?: 'headers' | 'body'
  locale?: Locale
  /** The account as whom a staff member looks. */
  lookAs?: string
  signal?: AbortSignal
}

export interface ApiClient {
  readonly origin: string
  readonly credentials: Credentials | undefined
  /** The bare answer, whatever its code; a status other than 200 throws. */
  send<C extends Call>(call: C, body: CallInput<C>, options?: AskOptions): Promise<Envelope<unknown>>
  /** The data of a successful answer, checked against the contract; any other code throws `Refused`. */
  ask<C extends Call>(call: C, body: CallInput<C>, options?: AskOptions): Promise<CallData<C>>
  as(credentials: Credentials | undefined): ApiClient
}

/** An answer whose code is not 200. */
export class Refused extends Error {
  readonly code: number
  constructor(call: string, envelope: Envelope<unknown>) {
    super(`${call}: ${envelope.code} ${envelope.message}`)
    this.code = envelope.code
  }
}

/** Calls of the contract against a running server. */
export function createApiClient(origin: string, credentials?: Credentials): ApiClient {
  async function send<C extends Call>(call: C, body: CallInput<C>, options: AskOptions = {}) {
    const inBody = options.credentials === 'body' ? credentials : undefined
    const fields = { ...(body as Record<string, unknown>), ...inBody }
    const encoding = options.body ?? 'form'
    const response = await fetch(`${origin}${call.path}`, {
      method: 'POST',
      headers: {
        'content-type': encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
        'accept-language': options.locale ?? 'en-US',
        ...(options.credentials === 'body' ? {} : credentials),
        ...(options.lookAs !== undefined && { [lookHeader]: options.lookAs }),
      },
      body: encoding === 'json' ? JSON.stringify(fields) : encodeForm(fields),
      ...(options.signal && { signal: options.signal }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${call.name}: HTTP ${response.status} ${text}`)
    return JSON.parse(text) as Envelope<unknown>
  }

  return {
    origin,
    credentials,
    send,
    async ask(call, body, options) {
      const answer = await send(call, body, options)
      if (answer.code !== 200) throw new Refused(call.name, answer)
      return call.data.parse(answer.data) as CallData<typeof call>
    },
    as: (other) => createApiClient(origin, other),
  }
}

/** Form encoding with bracket notation for nested values (design/api); `undefined` is left out. */
export function encodeForm(fields: Record<string, unknown>): string {
  const pairs = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    } else pairs.append(name, String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return pairs.toString()
}
