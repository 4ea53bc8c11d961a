/**
 * The chain as migration 0570 makes it (`audit_hash`, `audit_commitment`), computed apart from it: each hash covers the
 * one before it and the fields of its record, of the personal ones their commitment alone.
 */
import { createHash } from 'node:crypto'
import { chainHash, type SealedChain } from '../../platform/chain/index.ts'

/** The name of the chain in its seals; those of the records before commitments were made under another. */
export const sealName: SealedChain = { use: 'audit records' }
export const plainSealName: SealedChain = { use: 'audit' }

/** Fields of a record about people and their objects. */
export interface PersonalFields {
  actor: string | null
  ip: string | null
  object_id: string
  object_name: string | null
  owner: string | null
  before: string | null
  after: string | null
}

/** A record as it was hashed; `at` in UTC to the microsecond, as the database writes it. */
export interface ChainedRecord {
  seq: number
  at: string
  session_id: string | null
  action: string
  object_kind: string
  commitment: string
  /** Of an erasure: the numbers of the records whose personal fields went with it. */
  erased: string | null
  /** Of an erasure: `replacedHash` of the commitments that took the place of others; null: none did. */
  replaced: string | null
  hash: string
  /** Null: erased. */
  personal: (PersonalFields & { salt: string }) | null
}

export function commitmentOf(personal: PersonalFields & { salt: string }): string {
  const { salt, actor, ip, object_id, object_name, owner, before, after } = personal
  return chainHash([salt, actor, ip, object_id, object_name, owner, before, after])
}

export function hashOf(previous: string, record: Omit<ChainedRecord, 'hash' | 'personal'>): string {
  const { seq, at, session_id, action, object_kind, commitment, erased, replaced } = record
  const fields = [previous, String(seq), at, session_id, action, object_kind, commitment, erased]
  return chainHash(replaced === null ? fields : [...fields, replaced])
}

/** A commitment that an erasure put in the place of a record's own: the record lost who did it, and is another's. */
export interface Replaced {
  record: number
  erasure: number
  commitment: string
}

/** Of those of one erasure, in the order of their records. */
export function replacedHash(replaced: readonly Replaced[]): string {
  const text = replaced.map(({ record, commitment }) => `${record}:${commitment}`).join(',')
  return createHash('sha256').update(text).digest('hex')
}

/** The hash that a record had before its personal fields were committed to: it covered them as they are. */
export function plainHashOf(
  previous: string,
  { seq, at, session_id, action, object_kind }: ChainedRecord,
  { actor, ip, object_id, object_name, owner, before, after }: PersonalFields,
): string {
  const fields = [actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after]
  return chainHash([previous, String(seq), at, ...fields])
}

/** First and last number of a run of records. */
export type Span = readonly [first: number, last: number]

/** The runs in `3-7,12`. */
export function spansIn(erased: string): Span[] {
  return erased.split(',').map((span) => {
    const [first = 0, last = first] = span.split('-').map(Number)
    return [first, last]
  })
}

/** Says of numbers that are asked in ascending order whether a span holds them. */
export function ascendingIn(spans: readonly Span[]): (number: number) => boolean {
  const ordered = spans.toSorted(([a], [b]) => a - b)
  let [at, reached] = [0, 0]
  return (number) => {
    for (let span = ordered[at]; span && span[0] <= number; span = ordered[at]) {
      reached = Math.max(reached, span[1])
      at += 1
    }
    return number <= reached
  }
}
