/** Refusals of handing a custom domain over. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const transferRefusals = {
  transferMember: { code: codes.badParameter, field: 'to' },
  transferSelf: { code: codes.badParameter, field: 'to' },
  transferContested: { code: codes.conflict },
  /** The same whether there is such a domain or not. */
  transferNone: { code: codes.conflict, field: 'domain' },
  transferDiffers: { code: codes.forbidden, field: 'jws' },
  transferUnsigned: { code: codes.conflict },
} as const satisfies Refusals
