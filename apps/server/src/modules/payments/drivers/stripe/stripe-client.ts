/**
 * Asks Stripe: one try a question, an answer of bounded size within a bounded time, parsed before anything is made of
 * it. What Stripe refuses is distinguished from what is not known.
 */
import Stripe from 'stripe'
import { Agent, fetch } from 'undici'
import type { z } from 'zod'
import type { Unknown } from '../../gateway.ts'

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
export type Answer<T> = { kind: 'answer'; value: T } | Refused | Unknown

/** Bytes. The longest list has 100 intents of some 3 kB. */
const longestAnswer = 1_000_000

export function createStripeClient({ secretKey, baseUrl, timeoutMs = 30_000 }: StripeSettings): Stripe {
  const url = new URL(baseUrl)
  const dispatcher = new Agent({ maxResponseSize: longestAnswer })
  const bounded = (target: unknown, init: object) => fetch(String(target), { ...init, dispatcher })
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

function failureOf(error: unknown): Refused | Unknown {
  const { errors } = Stripe
  const isCard = error instanceof errors.StripeCardError
  if (isCard || (error instanceof errors.StripeInvalidRequestError && isFinal(error.statusCode))) {
    const { code, decline_code, param } = error
    return { kind: 'refused', isCard, code, decline_code, param }
  }
  if (error instanceof errors.StripeError) return { kind: 'unknown', why: `${error.type} ${error.code ?? ''}`.trim() }
  return { kind: 'unknown', why: error instanceof Error ? error.message : String(error) }
}

/** Not 409, a request of the same key under way, and not 429. */
function isFinal(status: number | undefined): boolean {
  return status === 400 || status === 402 || status === 404
}
