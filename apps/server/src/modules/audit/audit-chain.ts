/**
 * The chain, computed apart from the database that wrote it (migration 0016, `audit_hash`): who can change its rows
 * can change its functions too. Each hash covers the one before it and every field of its record; the head says where
 * the chain ends; seals say, under a key that the database does not know, what stood at their number.
 */
import { sha256Hex } from '../../platform/crypto.ts'

export const firstHash = '0'.repeat(64)

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

/** The length in bytes, a colon, the text, a comma; null as a minus: no two lists of fields read the same. */
function field(value: string | null): string {
  return value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`
}

export function hashOf(previous: string, record: Omit<ChainedRecord, 'hash'>): string {
  const { seq, at, actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after } = record
  const fields = [actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after]
  return sha256Hex([previous, String(seq), at, ...fields].map(field).join(''))
}

/** What is put under the key for a seal. */
export function sealLabel({ seq, hash }: { seq: number; hash: string }): string {
  return `audit seal ${seq} ${hash}`
}
