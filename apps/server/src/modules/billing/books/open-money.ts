/** Open money that a person has to see to, for Overview: each goes when its condition ends. */
import { sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../operator/answer-dispute.ts'
import '../operator/lost-captures.ts'
import { isLateRefund, waitingRefund } from '../records/card-refund-store.ts'
import { findVerified } from './verify-books.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A gateway answers within seconds. */
const unknownAfterMs = 15 * minuteMs
const urgentMs = 3 * dayMs

interface Counted {
  count: number
  since: Date | null
}

/** Disputes that a bank waits for an answer about. */
export async function findOpenDisputes(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<Counted & { due: Date | null }>`select count(*)::int as count, min(opened_at) as since,
      min(due_by) as due
    from disputes where state in ('inquiry', 'open') and (due_by is null or due_by > ${now})
      and not exists (select from dispute_answers where dispute_id = disputes.id)`.execute(db)
  const { count = 0, since = null, due = null } = rows[0] ?? {}
  if (count === 0 || since === null) return []
  const isUrgent = due !== null && due.getTime() - now.getTime() < urgentMs
  const facts = { count, due: due ? { at: due.toISOString() } : '–' }
  return [{ severity: isUrgent ? 'critical' : 'warning', since, facts }]
}

/** Payments whose outcome the gateway does not tell. */
export async function findUnknownPayments(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<Counted>`select count(*)::int as count, min(created_at) as since from payments
    where state = 'unknown' and created_at < ${new Date(now.getTime() - unknownAfterMs)}`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  return count === 0 || since === null ? [] : [{ severity: 'warning', since, facts: { count } }]
}

/** Refunds that wait for their gateway for a day, and those of the last month that failed and were not sent again. */
export async function findFailedRefunds(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<Counted>`select count(*)::int as count,
      min(coalesce(ended_at, created_at)) as since
    from card_refunds
    where ${waitingRefund(now)} or state in ('declined', 'returned') and ended_at > ${new Date(now.getTime() - 30 * dayMs)}
      and not exists (select from card_refunds later where later.created_at > card_refunds.created_at
        and later.payment_id is not distinct from card_refunds.payment_id
        and later.capture_id is not distinct from card_refunds.capture_id)`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  return count === 0 || since === null ? [] : [{ severity: 'warning', since, facts: { count } }]
}

/** Refunds of the last month that were ended as declined and that their gateway made after all. */
export async function findLateRefunds(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<Counted>`select count(*)::int as count, min(ended_at) as since from card_refunds
    where ${isLateRefund} and ended_at > ${new Date(now.getTime() - 30 * dayMs)}`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  return count === 0 || since === null ? [] : [{ severity: 'warning', since, facts: { count } }]
}

/** Charges at the gateway without a record here. */
export async function findLostCaptures(db: Db): Promise<Attention[]> {
  const { rows } = await sql<Counted>`select count(*)::int as count, min(found_at) as since
    from lost_captures`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  return count === 0 || since === null ? [] : [{ severity: 'warning', since, facts: { count } }]
}

/** The newest verification found the ledger not to be whole. */
export async function findBrokenBooks(db: Db): Promise<Attention[]> {
  const verified = await findVerified(db)
  if (!verified?.problem) return []
  return [{ severity: 'critical', since: verified.at, facts: { count: 1, problem: verified.problem } }]
}
