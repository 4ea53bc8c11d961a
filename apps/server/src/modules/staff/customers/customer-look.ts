/**
 * Looking at a customer: a staff member says why, once a day; that, and each look of more than ten minutes after the
 * one before, is a record that the customer reads in their activity, without the name.
 */
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { findLook, insertNote, putLook, putOpening, renewLook } from '../stores/note-store.ts'

interface LookDeps {
  db: Db
  clock: Clock
}

/** A reason holds so long, ms. */
const reasonMs = 24 * 60 * 60_000
/** Looks within so long of each other are one record, ms. */
const sameLookMs = 10 * 60_000

async function peopleOf(db: Db, caller: Caller, accountId: string) {
  const did = (await findDid(db, accountId)) ?? refuse('notFound', { object: 'account' })
  return { pair: { staff_id: caller.userid, account_id: accountId }, did }
}

async function recordLook(trx: Trx, caller: Caller, accountId: string, reason?: string) {
  await recordAudit(trx, {
    ...{ actor: caller, ip: caller.ip, action: 'support.look', after: reason === undefined ? null : { reason } },
    object: { kind: 'support', id: accountId, owner: accountId },
  })
  await publishChange(trx, { account: accountId, topic: 'account', id: accountId })
}

export async function beginLook(
  { db, clock }: LookDeps,
  caller: Caller,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<void> {
  const { pair } = await peopleOf(db, caller, accountId)
  await db.transaction().execute(async (trx) => {
    await putLook(trx, { ...pair, reason, at: clock.now() })
    await recordLook(trx, caller, accountId, reason)
  })
}

/** Whom and why; the look is undefined where no reason was given within a day, and recorded where it is a new one. */
export async function goOnLooking({ db, clock }: LookDeps, caller: Caller, accountId: string) {
  const { pair, did } = await peopleOf(db, caller, accountId)
  const at = clock.now()
  const look = await findLook(db, pair)
  if (!look || at.getTime() - look.begun_at.getTime() >= reasonMs) return { did, look: undefined }
  const before = new Date(at.getTime() - sameLookMs)
  if (look.recorded_at < before) {
    await db.transaction().execute(async (trx) => {
      // Of two pages that are opened at once, one records.
      if (await renewLook(trx, pair, { at, before })) await recordLook(trx, caller, accountId, look.reason)
    })
  }
  return { did, look }
}

/** An Admin opened a cluster of `owner`, which no reason is asked for: a record as of a look. */
export async function noteOpening(
  trx: Trx,
  { clock }: Pick<LookDeps, 'clock'>,
  { caller, owner }: { caller: Caller; owner: string },
): Promise<void> {
  const at = clock.now()
  const pair = { staff_id: caller.userid, account_id: owner }
  if (await putOpening(trx, pair, { at, before: new Date(at.getTime() - sameLookMs) }))
    await recordLook(trx, caller, owner)
}

export async function writeNote(
  { db, clock }: LookDeps,
  caller: Caller,
  { accountId, text }: { accountId: string; text: string },
): Promise<void> {
  const { pair } = await peopleOf(db, caller, accountId)
  const note = { account_id: accountId, written_by: pair.staff_id, text, at: clock.now() }
  await db.transaction().execute((trx) => insertNote(trx, note))
}
