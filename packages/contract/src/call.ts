import type { z } from 'zod'

/**
 * One HTTP call: the server's validation, the typed client and the OpenAPI document all come from it.
 * `auth: 'account'` calls take `userid` and `token` as headers or body fields; both are removed before `body` is parsed.
 */
export interface Call<Body extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  /** camelCase, unique; the operationId in OpenAPI and the key in tests. */
  name: string
  path: `/${string}`
  auth: 'account' | 'none'
  summary: string
  body: Body
  data: Data
}

export function defineCall<Body extends z.ZodType, Data extends z.ZodType>(call: Call<Body, Data>): Call<Body, Data> {
  return call
}

/** What a caller passes, before defaults and conversions. */
export type CallInput<C extends Call> = z.input<C['body']>
/** What the handler sees. */
export type CallBody<C extends Call> = z.output<C['body']>
/** What is answered as `data`. */
export type CallData<C extends Call> = z.output<C['data']>
