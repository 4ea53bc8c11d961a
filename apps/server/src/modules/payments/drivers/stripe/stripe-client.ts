/**
 * Calls Stripe: one attempt per request, a bounded answer within a bounded time, parsed before it is used. A refusal by
 * Stripe is distinguished from an unknown outcome.
 */
import Stripe from 'stripe'
import { Agent, fetch } from 'undici'
import type { z } from 'zod'
import type { Unknown } from '../../gateway/gateway.ts'

export interface StripeSettings {
  secretKey: string
  /** Origin, such as https://api.stripe.com. */
  baseUrl: string
  /** ms; a charge that asks a bank takes seconds. */
  timeoutMs?: number
}

/** Stripe understood the request and did not do it. */
export interface Refused {
  kind: 'refused'
  /** `card_error` of a bank; else the request itself was turned down. */
  isCard: boolean
  code: string | undefined
  decline_code: string | undefined
  param: string | undefined
}
/**
 * Stripe's own fault, repeated under the request's key: an earlier request of that key has ended with it, and none is
 * on its way any more. Stripe repeats it for a day.
 */
export interface Broken extends Unknown {
  isRepeated: true
}
export type Answer<T> = { kind: 'answer'; value: T } | Refused | Unknown | Broken

/** Bytes. The longest list has 100 intents of some 3 kB. */
const longestAnswer = 1_000_000

/** `settings.secretKey` is looked at for each request: it may change while this process runs. */
export function createStripeClient(settings: StripeSettings): Stripe {
  const { secretKey, baseUrl, timeoutMs = 30_000 } = settings
  const url = new URL(baseUrl)
  const dispatcher = new Agent({ maxResponseSize: longestAnswer })
  const bounded = (target: unknown, init: RequestInit) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    headers['authorization'] = `Bearer ${settings.secretKey}`
    return fetch(String(target), { ...(init as object), headers, dispatcher })
  }
  return new Stripe(secretKey, {
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    host: url.hostname,
    port: url.port || (url.protocol === 'http:' ? 80 : 443),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    // undici's fetch is the platform's own with a dispatcher; its types are another package's.
    httpClient: Stripe.createFetchHttpClient(bounded as unknown as typeof globalThis.fetch),
  })
}

/** Never throws: whatever does not come back as an answer is `unknown`. */
export async function askStripe<Schema extends z.ZodType>(
  schema: Schema,
  ask: () => Promise<unknown>,
): Promise<Answer<z.output<Schema>>> {
  try {
    const parsed = schema.safeParse(await ask())
    if (parsed.success) return { kind: 'answer', value: parsed.data }
    return { kind: 'unknown', why: `Stripe's answer: ${parsed.error.issues[0]?.path.join('.')} is not as expected` }
  } catch (error) {
    return failureOf(error)
  }
}

/** How many keys of one step may have ended with 500 before it is left to the next day. */
const mostKeys = 6

/**
 * A step that ended with 500 is asked for under its next key, once Stripe has repeated the 500 under the one before:
 * only then can nothing of it arrive late. `stands` is asked in between, as the step may have taken place nevertheless;
 * undefined where it has not.
 */
export async function askUnderKeys<Schema extends z.ZodType, Stands>(
  schema: Schema,
  key: string,
  { ask, stands }: { ask: (idempotencyKey: string) => Promise<unknown>; stands: () => Promise<Stands | undefined> },
): Promise<Answer<z.output<Schema>> | { kind: 'stands'; stands: Stands }> {
  for (let count = 1; ; count += 1) {
    const answer = await askStripe(schema, () => ask(keyOf(key, count)))
    if (!('isRepeated' in answer) || count === mostKeys) return answer
    const known = await stands()
    if (known !== undefined) return { kind: 'stands', stands: known }
  }
}

/** The first time the id itself; from the second time on, what came of the first was asked for before. */
export function keyOf(id: string, count: number): string {
  return count === 1 ? id : `${id}-${count}`
}

function failureOf(error: unknown): Refused | Unknown | Broken {
  const { errors } = Stripe
  const isCard = error instanceof errors.StripeCardError
  if (isCard || (error instanceof errors.StripeInvalidRequestError && isFinal(error.statusCode))) {
    const { code, decline_code, param } = error
    return { kind: 'refused', isCard, code, decline_code, param }
  }
  if (error instanceof errors.StripeError) {
    const why = `${error.type} ${error.code ?? ''}`.trim()
    const isRepeated = (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true'
    return isRepeated ? { kind: 'unknown', why, isRepeated } : { kind: 'unknown', why }
  }
  return { kind: 'unknown', why: error instanceof Error ? error.message : String(error) }
}

/** Not 409, a request of the same key under way, and not 429. */
function isFinal(status: number | undefined): boolean {
  return status === 400 || status === 402 || status === 404
}

/** Where a refusal of the request itself says nothing about what was asked for. */
export function unknownOf(failure: Refused | Unknown): Unknown {
  return failure.kind === 'unknown' ? failure : { kind: 'unknown', why: `refused: ${failure.code ?? failure.param}` }
}
