/**
 * Answering a bank: kept once, in the transaction of the act; job billing.disputeAnswer sends it until the gateway has
 * taken or refused it. Safe to repeat: a bank takes one answer.
 */
import { backoffMs } from '@atoll/contract/wire'
import { type Generated, type Selectable, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { getDid } from '../../accounts/index.ts'
import { actionsOf } from '../../audit/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import type { DisputeRow } from '../records/dispute-store.ts'
import { enqueueMovements } from '../records/movements-queue.ts'

interface DisputeAnswersTable {
  dispute_id: string
  way: 'evidence' | 'accept'
  text: string
  answered_by: string
  answered_at: Date
  attempts: Generated<number>
  sent_at: Generated<Date | null>
  /** Why the gateway took none. */
  refused: Generated<string | null>
}
export type DisputeAnswerRow = Selectable<DisputeAnswersTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    dispute_answers: DisputeAnswersTable
  }
}

const answerJob = 'billing.disputeAnswer'
const backoff = { firstMs: 5000, longestMs: 60 * 60_000 }

export async function listAnswers(db: Db, disputeIds: readonly string[]): Promise<Map<string, DisputeAnswerRow>> {
  if (disputeIds.length === 0) return new Map()
  const rows = await db.selectFrom('dispute_answers').selectAll().where('dispute_id', 'in', disputeIds).execute()
  return new Map(rows.map((row) => [row.dispute_id, row]))
}

/** A dispute that a bank waits for an answer about; refuses one that is answered or over. */
export async function getAnswerable(trx: Trx, disputeId: string, now: Date): Promise<DisputeRow> {
  const found = await trx.selectFrom('disputes').selectAll().where('id', '=', disputeId).forUpdate().executeTakeFirst()
  const dispute = found ?? refuse('notFound', { object: 'dispute' })
  if ((await listAnswers(trx, [disputeId])).size > 0) refuse('disputeAnswered')
  const isOpen = dispute.state === 'open' || dispute.state === 'inquiry'
  if (!isOpen || (dispute.due_by !== null && dispute.due_by <= now)) refuse('disputeOver')
  return dispute
}

export async function answerBank(
  trx: Trx,
  {
    disputeId,
    way,
    text,
    by,
    now,
  }: { disputeId: string; way: 'evidence' | 'accept'; text: string; by: string; now: Date },
): Promise<void> {
  await getAnswerable(trx, disputeId, now)
  await trx
    .insertInto('dispute_answers')
    .values({ dispute_id: disputeId, way, text, answered_by: by, answered_at: now })
    .execute()
  await enqueueJob(trx, answerJob, { disputeId }, { key: `${answerJob}:${disputeId}` })
}

export interface AnswerDeps {
  db: Db
  clock: Clock
  gateway: Pick<PaymentGateway, 'name' | 'answerDispute'>
}

export function disputeAnswers(deps: AnswerDeps): Job {
  return defineJob({
    name: answerJob,
    lane: 'gateway',
    accountOf: async ({ disputeId }) => (await findDisputeRow(deps.db, disputeId))?.userid,
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ disputeId: z.string() }),
    async run({ disputeId }, { log }) {
      const { db, clock, gateway } = deps
      const dispute = await findDisputeRow(db, disputeId)
      const answer = (await listAnswers(db, [disputeId])).get(disputeId)
      if (!dispute || !answer || answer.sent_at || answer.refused || dispute.gateway !== gateway.name) return
      const evidence = answer.way === 'accept' ? null : { text: answer.text, access: await accessOf(db, dispute) }
      const outcome = await gateway.answerDispute({ ref: dispute.gateway_ref, evidence })
      const own = db.updateTable('dispute_answers').where('dispute_id', '=', disputeId)
      if (outcome.kind === 'unknown') {
        const attempts = answer.attempts + 1
        await own.set({ attempts }).execute()
        log.warn({ dispute: disputeId, why: outcome.why }, 'an answer to a bank is not known to be taken yet')
        const runAt = new Date(clock.now().getTime() + backoffMs(attempts, backoff))
        return await enqueueJob(db, answerJob, { disputeId }, { key: `${answerJob}:${disputeId}`, runAt })
      }
      if (outcome.kind === 'refused') log.error({ dispute: disputeId, why: outcome.why }, 'a bank takes no answer')
      await own.set(outcome.kind === 'done' ? { sent_at: clock.now() } : { refused: outcome.why }).execute()
      const payment = await db
        .selectFrom('payments')
        .select('gateway_ref')
        .where('id', '=', dispute.payment_id ?? '')
        .executeTakeFirst()
      if (payment?.gateway_ref) await enqueueMovements(db, payment.gateway_ref)
    },
  })
}

async function findDisputeRow(db: Db, id: string): Promise<DisputeRow | undefined> {
  return await db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The newest sign-ins and acts on clusters, with their addresses: a bank asks who ordered. */
async function accessOf(db: Db, { userid }: DisputeRow): Promise<string> {
  const isAsked = sql<SqlBool>`(action like 'session.%' or action like 'cluster.%')`
  const rows = await actionsOf(db, await getDid(db, userid))
    .where(isAsked)
    .limit(500)
    .execute()
  return rows.map(({ at, action, ip }) => `${at.toISOString()} ${action} ${ip ?? ''}`.trim()).join('\n')
}
