import { z } from 'zod'
import type { EventTopic } from './events.ts'

type CallAuth = 'account' | 'none'

/**
 * One HTTP call: the server's validation, the typed client and the OpenAPI document all come from it.
 * `auth: 'account'` calls take `userid` and `token` as headers or body fields; both are removed before `body` is
 * parsed.
 */
export interface Call<
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Auth extends CallAuth = CallAuth,
> {
  /** camelCase, unique; the operationId in OpenAPI and the key in tests. */
  name: string
  path: `/${string}`
  auth: Auth
  /** Of a call without a session whose body still says whose it is: `userid` stays in the body. */
  namesAccount?: true
  /** Changes that make an answer of a reading call old; of a writing one, the changes that it makes. */
  topics?: readonly EventTopic[]
  summary: string
  body: Body
  /** Largest body in bytes where the common limit is too small; who asks is then known from the headers alone. */
  bodyLimit?: number
  data: Data
}

const noFields = z.strictObject({})
const noData = z.object({})

/** A call needs an account's session unless it says `auth: 'none'`; without `body` or `data` that has no fields. */
export function defineCall<
  const Auth extends CallAuth = 'account',
  Body extends z.ZodType = typeof noFields,
  Data extends z.ZodType = typeof noData,
>(
  call: Omit<Call<Body, Data, Auth>, 'auth' | 'body' | 'data'> & { auth?: Auth; body?: Body; data?: Data },
): Call<Body, Data, Auth> {
  const defaults = { auth: 'account', body: noFields, data: noData }
  return { ...defaults, ...call } as Call<Body, Data, Auth> // what is left out is of its type's default
}

/** What a caller passes, before defaults and conversions. */
export type CallInput<C extends Call> = z.input<C['body']>
/** What the handler sees. */
export type CallBody<C extends Call> = z.output<C['body']>
/** What is answered as `data`. */
export type CallData<C extends Call> = z.output<C['data']>
/** A call's body without the key of its request, which the client adds. */
export type CallRequest<C extends Call> =
  CallInput<C> extends infer Body ? (Body extends unknown ? Omit<Body, 'requestId'> : never) : never

/** Whether a request of `call` carries a key, so that the server does it once however often it arrives. */
export function takesRequestId({ body }: Call): boolean {
  const shapes = body instanceof z.ZodDiscriminatedUnion ? body.options : [body]
  return shapes.every((shape) => shape instanceof z.ZodObject && 'requestId' in shape.shape)
}
