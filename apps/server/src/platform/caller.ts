import type { Role } from '@atoll/contract/wire'

/** Who calls: their DID, the session they came with, and what they may see. */
export interface Caller {
  userid: string
  sessionId: string
  role: Role
  /** Address of the client; behind a trusted proxy, the one it names. */
  ip: string
}
