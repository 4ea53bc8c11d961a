/** Why a signature or a sign-in code is not accepted (wire, "Login by QR"); part of the error catalogue. */
import { codes } from '../wire/envelope.ts'

export const signInRefusals = {
  jwsMalformed: { code: codes.badParameter },
  jwsAlgorithm: { code: codes.badParameter },
  jwsSignature: { code: codes.forbidden },
  jwsIssuer: { code: codes.forbidden },
  jwsExpired: { code: codes.forbidden },
  clockAhead: { code: codes.forbidden },
  codeExpired: { code: codes.forbidden },
  codeFromFuture: { code: codes.forbidden },
  signedLongAgo: { code: codes.forbidden },
  codeUsed: { code: codes.conflict },
  otherDidExpected: { code: codes.forbidden },
  codeBurnt: { code: codes.conflict },
  codeOfOtherBrowser: { code: codes.forbidden },
  otherAudience: { code: codes.forbidden },
  matchNumberWrong: { code: codes.forbidden },
  matchNumberUnknown: { code: codes.forbidden },
  matchNumberMissing: { code: codes.forbidden },
} as const
