import type { Role, StaffRole } from '@atoll/contract/wire'

/** Who calls: their account, the session they came with, and what they may see. */
export interface Caller {
  /** The id of the account, as tables, jobs and logs have it. */
  userid: string
  /** What calls, wallets and people name the account by; kept in few places, and written into none but those. */
  did: string
  sessionId: string
  role: Role
  /** Its role in the operator's area; absent: none. */
  staff?: StaffRole
  /** The system itself acts for the account: as it does for a suspension. */
  isSystem?: true
  /** Address of the client; behind a trusted proxy, the one it names. */
  ip: string
}
