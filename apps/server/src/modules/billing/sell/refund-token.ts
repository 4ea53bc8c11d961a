/**
 * A refund that was shown to a person, in a token that they return with the request to destroy: account, cluster or
 * worker, the instant of the price, and the facts that it depends on. For 15 minutes the refund is priced at that
 * instant, so it equals the amount shown; later it is priced at the moment of the request. The token is valid as long
 * as those facts are unchanged.
 */
import { z } from 'zod'
import { type Sealer, sha256Hex } from '../../../platform/crypto.ts'
import { estimateLifetimeMs } from '../pricing/estimate-token.ts'
import { openToken, signToken } from '../pricing/signed-token.ts'

const purpose = 'refund estimate'

const RefundQuote = z.strictObject({
  userid: z.string(),
  clusterId: z.string(),
  /** One worker; null: the whole cluster. */
  instanceId: z.string().nullable(),
  at: z.iso.datetime(),
  basis: z.string(),
})
export type RefundQuote = z.output<typeof RefundQuote>

/** The facts of a refund as a digest: it changes when an item, a price or an invoice does. */
export function basisOf(facts: readonly (readonly (string | number | boolean)[])[]): string {
  return sha256Hex(JSON.stringify(facts.map((fact) => fact.join(' ')).sort()))
}

export function signRefundQuote(sealer: Pick<Sealer, 'derive' | 'accepts'>, quote: RefundQuote): string {
  return signToken(sealer, purpose, quote)
}

/**
 * The instant that a refund is priced at: the token's while it is young, else `now`. Undefined where the token says
 * nothing about this: altered, of somebody or something else, or of what is not so any more.
 */
export function refundInstant(
  sealer: Pick<Sealer, 'derive' | 'accepts'>,
  token: string,
  asked: Omit<RefundQuote, 'at'>,
  now: Date,
): Date | undefined {
  const { data: quote } = RefundQuote.safeParse(openToken(sealer, purpose, token))
  if (!quote || quote.userid !== asked.userid || quote.clusterId !== asked.clusterId) return undefined
  if (quote.instanceId !== asked.instanceId || quote.basis !== asked.basis) return undefined
  const at = new Date(quote.at)
  const age = now.getTime() - at.getTime()
  return age >= 0 && age <= estimateLifetimeMs ? at : now
}
