/** Refusals of calls to the audit log. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const auditRefusals = {
  exportTooLarge: { code: codes.tooLarge },
} as const satisfies Refusals
