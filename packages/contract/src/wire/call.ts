import { z } from 'zod'
import type { EventTopic } from './events.ts'
import type { RateName } from './rates.ts'
import { isStaffReach, type Reach } from './reach.ts'

/**
 * One HTTP call: the server's validation, the typed client and the OpenAPI document all come from it.
 * A call that not anyone may make takes `userid` and `token` as headers or body fields; both are removed before `body`
 * is parsed.
 */
export interface Call<
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Who extends Reach = Reach,
  Page extends z.ZodType = z.ZodType,
> {
  /** camelCase, unique; the operationId in OpenAPI and the key in tests. */
  name: string
  path: `/${string}`
  /** The callers that may make it, and the objects it may concern. */
  reach: Who
  /**
   * Pages of other origins than the console's that make it (design/wire):
   * - `wallets`: of any origin, wallets and pages that sign in, without credentials.
   * - `ownWallet`: this deployment's own wallet, with the token in the body.
   * - `personalServers`: of any origin, settings pages of personal servers, with the token in a header or the body.
   */
  origins?: 'wallets' | 'ownWallet' | 'personalServers'
  /** To this call, this deployment's own wallet also sends the cookie that names its browser. */
  namesBrowser?: true
  /** Of a call without a session whose body still says whose it is: `userid` stays in the body. */
  namesAccount?: true
  /** Changes that make an answer of a reading call old; of a writing one, the changes that it makes. */
  topics?: readonly EventTopic[]
  summary: string
  /** It changes nothing. */
  reads?: true
  /** How often it may be made. */
  rate: RateName
  body: Body
  /** Largest body in bytes where the common limit is too small; who asks is then known from the headers alone. */
  bodyLimit?: number
  data: Data
  /** The answer in place of `data` if the body asks for a `page`. */
  page?: Page
}

const noFields = z.strictObject({})
const noData = z.object({})

/** A changing call names its rate; a reading one has a default. */
type Paced = { reads: true; rate?: RateName } | { reads?: never; rate: RateName }

/** Without `body` or `data` that has no fields. `reach` has no default. */
export function defineCall<
  const Who extends Reach,
  Body extends z.ZodType = typeof noFields,
  Data extends z.ZodType = typeof noData,
  Page extends z.ZodType = z.ZodNever,
>(
  call: Omit<Call<Body, Data, Who, Page>, 'body' | 'data' | 'rate' | 'reads'> & Paced & { body?: Body; data?: Data },
): Call<Body, Data, Who, Page> {
  const defaults = { rate: 'read', body: noFields, data: noData }
  return { ...defaults, ...call } as Call<Body, Data, Who, Page> // what is left out is of its type's default
}

/** The caller's body, before defaults and conversions. */
export type CallInput<C extends Call> = z.input<C['body']>
/** The body that the handler gets. */
export type CallBody<C extends Call> = z.output<C['body']>
/** The answer's `data`. */
export type CallData<C extends Call> = z.output<C['data']>
/** The answer's `data` if a `page` is asked for; never for a call without pages. */
export type CallPage<C extends Call> = z.output<NonNullable<C['page']>>
/** A call's body without the key of its request, which the client adds. */
export type CallRequest<C extends Call> =
  CallInput<C> extends infer Body ? (Body extends unknown ? Omit<Body, 'requestId'> : never) : never

/** Whether a request of `call` carries a key, so that the server does it once however often it arrives. */
export function takesRequestId({ body }: Call): boolean {
  const shapes = body instanceof z.ZodDiscriminatedUnion ? body.options : [body]
  return shapes.every((shape) => shape instanceof z.ZodObject && 'requestId' in shape.shape)
}

/**
 * Names the customer, by the id of the account, as whom a staff member's request looks at the console: with their own
 * session, and a reason given on the customer's page.
 */
export const lookHeader = 'look-as'

/** Where a tab of the console keeps as whom it is shown to staff. */
export const lookKey = 'atoll.look'

/** Whether staff may make `call` as a customer: it changes nothing, and is not for the owner alone. */
export function mayLook({ reads, reach }: Call): boolean {
  return reads === true && !isStaffReach(reach) && reach !== 'ownersOnly'
}
