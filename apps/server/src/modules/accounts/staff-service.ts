import type { StaffRole } from '@atoll/contract/wire'
import type { Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { type AuditSource, recordAudit } from '../audit/index.ts'
import { lockAccount } from './stores/account-store.ts'
import { endStaff, insertStaff, lockStaff } from './stores/staff-store.ts'

const actions = { support: 'account.makeSupport', operator: 'account.makeOperator' } as const

interface StaffChange {
  userid: string
  role: StaffRole | null
  source: AuditSource
  /** The approval in the wallet, for the audit record; a command has none. */
  approved?: { reason: string; approval: string }
  now: Date
}

/**
 * Refuses an account that is no operator now, or will not be once the transactions that are ending roles commit: until
 * `trx` ends no role ends, and of two concurrent acts of staff one sees the other's changes.
 */
export async function requireOperator(trx: Trx, accountId: string): Promise<void> {
  const living = await lockStaff(trx)
  if (!living.some((one) => one.account_id === accountId && one.role === 'operator')) refuse('operatorOnly')
}

/**
 * Gives the account of `userid` a staff role, changes it or, with null, ends it. The last operator keeps the role:
 * without one nobody could appoint another. The former role is kept with the time of its end.
 */
export async function changeStaff(trx: Trx, { userid, role, source, approved, now }: StaffChange): Promise<void> {
  // The rows of staff before any account's, as whatever staff does locks them; read again below, as some may be new.
  await lockStaff(trx)
  const account = await lockAccount(trx, userid)
  if (!account) refuse('notFound', { object: 'account' })
  const living = await lockStaff(trx)
  const before = living.find((one) => one.account_id === account.account_id)?.role ?? null
  if (before === role) refuse(role === null ? 'notFound' : 'staffAlready', { object: 'account' })
  const operators = living.filter((one) => one.role === 'operator')
  if (before === 'operator' && operators.length === 1) refuse('lastOperator')
  const { actor } = source
  const by = actor === 'system' ? null : actor.userid
  if (before !== null) await endStaff(trx, account.account_id, { by, at: now })
  if (role !== null) await insertStaff(trx, { account_id: account.account_id, role, granted_by: by, granted_at: now })
  await recordAudit(trx, {
    ...source,
    action: role === null ? 'account.endStaff' : actions[role],
    object: { kind: 'account', id: userid, owner: userid },
    before: { staff: before },
    after: { staff: role, ...approved },
  })
  await publishChange(trx, { account: userid, topic: 'account', id: userid })
}
