/** Refusals of calls by agents. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const agentsRefusals = {
  enrollRefused: { code: codes.forbidden },
  agentUnproven: { code: codes.forbidden },
} as const satisfies Refusals
