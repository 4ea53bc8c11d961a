/** Refusals of calls and webhooks about payments. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const paymentsRefusals = {
  webhookUnsigned: { code: codes.forbidden },
} as const satisfies Refusals
