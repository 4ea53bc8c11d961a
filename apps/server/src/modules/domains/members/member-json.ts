import type { DomainMember, MemberAddress, MemberState } from '@atoll/contract/domains'
import type { DomainRow } from '../records/domain-store.ts'
import type { MemberRow } from '../records/member-store.ts'

/** `now`: for one-time passwords that have lapsed. A person who was only invited has no `addresses`. */
export function memberJson(
  domain: { name: string /** Of its owner. */; did: string },
  row: MemberRow,
  now: Date,
  addresses: MemberAddress[] = [],
): DomainMember {
  const state = stateOf(row, now)
  return {
    name: row.name,
    terminusName: `${row.name}@${domain.name}`,
    userid: row.did,
    isAdmin: row.did === domain.did,
    email: row.email,
    state,
    expireAt: row.password_expires_at?.toISOString() ?? null,
    joinedAt: row.joined_at?.toISOString() ?? null,
    createAt: row.created_at.toISOString(),
    actions: state !== 'joined' ? ['renew', 'mail', 'delete'] : row.did === domain.did ? [] : ['remove'],
    addresses,
  }
}

function stateOf(row: MemberRow, now: Date): MemberState {
  if (row.did !== null) return 'joined'
  return isUsable(row, now) ? 'invited' : 'lapsed'
}

/** Whether somebody can still join with its one-time password. */
export function isUsable(row: MemberRow, now: Date): row is MemberRow & { password_hash: string } {
  return row.password_hash !== null && (row.password_expires_at ?? now) > now
}
