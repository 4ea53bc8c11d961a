/**
 * The chain as migration 0016 makes it (`audit_hash`): each hash covers the one before it and every field of its
 * record; the head says where the chain ends, and seals say what stood at their number.
 */
import { chainHash } from '../../platform/chain/index.ts'

/** A record as it was hashed; `at` in UTC to the microsecond, as the database writes it. */
export interface ChainedRecord {
  seq: number
  at: string
  actor: string | null
  session_id: string | null
  ip: string | null
  action: string
  object_kind: string
  object_id: string
  object_name: string | null
  owner: string
  before: string | null
  after: string | null
  hash: string
}

export function hashOf(previous: string, record: Omit<ChainedRecord, 'hash'>): string {
  const { seq, at, actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after } = record
  const fields = [actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after]
  return chainHash([previous, String(seq), at, ...fields])
}
