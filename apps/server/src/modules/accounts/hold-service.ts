import type { Hold } from '@atoll/contract/accounts'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { answerConsent } from './stores/consent-store.ts'
import { listSuspensions, lockHold, toHold, updateHold } from './stores/hold-store.ts'

/** The suspensions of the caller's account. */
export async function describeHolds(db: Db, userid: string): Promise<Hold[]> {
  return (await listSuspensions(db, userid)).map(toHold)
}

/** Keeps what the owner answers to a suspension, for staff to read; a later answer takes its place. */
export async function answerHold(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { holdId, text }: { holdId: string; text: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const hold = await lockHold(trx, holdId)
    if (!hold || hold.account_id !== caller.userid) refuse('notFound', { object: 'hold' })
    await updateHold(trx, holdId, { answer: text, answered_at: clock.now() })
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'support.answer',
      object: { kind: 'support', id: caller.userid, owner: caller.userid },
    })
    await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  })
}

/** Allows support to look at the caller's account for a day, or not; refused where nobody asks for that reason. */
export async function answerSupport(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { allows, reason }: { allows: boolean; reason: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const answer = { answered_at: clock.now(), is_allowed: allows }
    if (!(await answerConsent(trx, { accountId: caller.userid, reason }, answer))) refuse('supportAsksNothing')
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: allows ? 'support.allow' : 'support.decline',
      object: { kind: 'support', id: caller.userid, owner: caller.userid },
    })
    await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  })
}
