/** Refusals of calls about accounts: signing in, email and picture. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { signInRefusals } from './sign-in-refusals.ts'

export const accountsRefusals = {
  ...signInRefusals,
  exportUnderWay: { code: codes.conflict },
  exportedToday: { code: codes.conflict },
  closingAlready: { code: codes.conflict },
  notClosing: { code: codes.conflict },
  closeOwed: { code: codes.conflict },
  closeDisputed: { code: codes.conflict },
  closeBusy: { code: codes.conflict },
  closeStaff: { code: codes.conflict },
  emailMalformed: { code: codes.badParameter, field: 'email' },
  emailAlreadyBound: { code: codes.conflict, field: 'email' },
  emailCodeTooSoon: { code: codes.tooManyRequests },
  emailCodeTooMany: { code: codes.tooManyRequests },
  emailCodeNone: { code: codes.conflict },
  emailCodeExpired: { code: codes.forbidden, field: 'code' },
  emailCodeWrong: { code: codes.forbidden, field: 'code' },
  emailCodeSpent: { code: codes.forbidden, field: 'code' },
  avatarNotPicture: { code: codes.badParameter },
  avatarUnreadable: { code: codes.badParameter },
  avatarTooLarge: { code: codes.tooLarge },
  avatarTooManyPixels: { code: codes.tooLarge },
} as const satisfies Refusals
