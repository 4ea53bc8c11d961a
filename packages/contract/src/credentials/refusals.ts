/** Refusals of applications for a credential, and of presentations. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const credentialsRefusals = {
  signedByOther: { code: codes.forbidden, field: 'jws' },
  applicationForeign: { code: codes.forbidden, field: 'jws' },
  applicationDiffers: { code: codes.forbidden, field: 'jws' },
  presentationForeign: { code: codes.forbidden, field: 'jws' },
  credentialForeign: { code: codes.forbidden, field: 'jws' },
  credentialExpired: { code: codes.forbidden, field: 'jws' },
  credentialRevoked: { code: codes.forbidden, field: 'jws' },
  presentationRepeated: { code: codes.conflict, field: 'jws' },
} as const satisfies Refusals
