/** The reasons for which a call about the deployment itself may be refused. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const systemRefusals = {
  catalogNotAsked: { code: codes.conflict },
  catalogChanged: { code: codes.conflict },
  catalogBroken: { code: codes.conflict },
  limitsShared: { code: codes.conflict },
  overcommitRaised: { code: codes.conflict },
  memberGone: { code: codes.conflict },
  drainWindow: { code: codes.conflict },
  drainOpen: { code: codes.conflict },
  drainGone: { code: codes.conflict },
  drainNoRoom: { code: codes.conflict },
  jobGone: { code: codes.conflict },
  mailGone: { code: codes.conflict },
  noOperatorEmail: { code: codes.conflict },
  mailServerRefused: { code: codes.conflict },
  ownBackupByTimer: { code: codes.conflict },
} as const satisfies Refusals
