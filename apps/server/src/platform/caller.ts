import type { Role, StaffRole } from '@atoll/contract/wire'

/** The caller of a request: their account, the session they came with, and what they may see. */
export interface Caller {
  /** The id of the account, as tables, jobs and logs have it. */
  userid: string
  /**
   * The account's name in calls, wallets and texts for people; stored in few places, and written into none but those.
   */
  did: string
  sessionId: string
  role: Role
  /** Its role in the operator's area; absent: none. */
  staff?: StaffRole
  /** The deployment has or had staff: an Admin acts for nobody else, and what an Admin opens is recorded. */
  hasStaff?: true
  /** The system itself acts for the account: as it does for a suspension. */
  isSystem?: true
  /** Address of the client; behind a trusted proxy, the one it names. */
  ip: string
}
