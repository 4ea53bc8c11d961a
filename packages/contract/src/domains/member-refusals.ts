/** Refusals of calls about the members of a custom domain. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const memberRefusals = {
  organizationUnknown: { code: codes.organizationUnknown, field: 'org_domain' },
  /** The same for a name that was never invited: nobody learns who was. */
  joinRefused: { code: codes.joinRefused, field: 'member_password' },
  joinInvitedOnly: { code: codes.forbidden, field: 'member_password' },
  joinEmailMissing: { code: codes.forbidden },
  joinEmailOther: { code: codes.forbidden },
  /** In the words of the specification. */
  organizationEmail: { code: codes.forbidden },
  organizationEmailUnknown: { code: codes.unavailable },
  domainUnreachable: { code: codes.unavailable },
  invitationNameKept: { code: codes.conflict, field: 'name' },
  memberExists: { code: codes.conflict, field: 'name' },
  memberJoined: { code: codes.conflict, field: 'name' },
  memberIsOwner: { code: codes.conflict, field: 'name' },
  memberConfirm: { code: codes.badParameter, field: 'confirm' },
  invitationsTooMany: { code: codes.conflict },
  invitationMailTooMany: { code: codes.tooManyRequests, field: 'email' },
} as const satisfies Refusals
