/**
 * Looking at a customer: a staff member says why, once a day; that, and each look of more than ten minutes after the
 * one before, is a record that the customer reads in their activity, without the name.
 */

import { fillText } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { askConsent, findAddressee, findConsent, findDid } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { type Mail, staffMessageMail } from '../../mail/index.ts'
import { findLook, insertNote, putLook, putOpening, renewLook } from '../stores/note-store.ts'

export interface LookDeps {
  db: Db
  clock: Clock
  config: {
    /** Whether support needs the customer's consent. */
    asksConsent: boolean
  }
  mail: Pick<Mail, 'post'>
}

/** A reason holds so long, ms. */
const reasonMs = 24 * 60 * 60_000
/** Looks within so long of each other are one record, ms. */
const sameLookMs = 10 * 60_000

async function peopleOf(db: Db, caller: Caller, accountId: string) {
  const did = (await findDid(db, accountId)) ?? refuse('notFound', { object: 'account' })
  return { pair: { staff_id: caller.userid, account_id: accountId }, did }
}

async function recordLook(
  trx: Trx,
  caller: Caller,
  accountId: string,
  reason?: string,
  action: 'support.look' | 'support.askLook' = 'support.look',
) {
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    after: reason === undefined ? null : { reason },
    object: { kind: 'support', id: accountId, owner: accountId },
  })
  await publishChange(trx, { account: accountId, topic: 'account', id: accountId })
}

const mailUsableMs = 24 * 60 * 60_000

/** The consent that `caller` needs to see a customer: given to this person since then. Undefined: none is needed. */
export function neededConsent({ clock, config }: Pick<LookDeps, 'clock' | 'config'>, caller: Caller) {
  if (!config.asksConsent || caller.staff === 'operator') return undefined
  return { staffId: caller.userid, since: new Date(clock.now().getTime() - reasonMs) }
}

/** The customer's consent to looks of the caller, which is asked for with each reason that is said. */
async function consentTo(
  deps: LookDeps,
  db: Db,
  caller: Caller,
  accountId: string,
): Promise<'given' | 'asked' | 'missing'> {
  const needed = neededConsent(deps, caller)
  if (!needed) return 'given'
  const consent = await findConsent(db, { accountId, staffId: needed.staffId })
  if (!consent) return 'missing'
  if (!consent.answered_at) return 'asked'
  return consent.is_allowed && consent.answered_at > needed.since ? 'given' : 'missing'
}

async function ask(
  { mail }: LookDeps,
  trx: Trx,
  caller: Caller,
  look: { accountId: string; reason: string; at: Date },
) {
  const { accountId, reason, at } = look
  const isNew = await askConsent(trx, { ...look, staffId: caller.userid })
  await recordLook(trx, caller, accountId, reason, 'support.askLook')
  const to = isNew ? await findAddressee(trx, accountId) : undefined
  if (!to) return
  const texts = mailTexts[to.locale].staffMessage
  await mail.post(trx, {
    kind: staffMessageMail,
    userid: accountId,
    to: to.email,
    locale: to.locale,
    params: { account: to.name, subject: texts.lookSubject, text: fillText(texts.look, { reason }) },
    usableUntil: new Date(at.getTime() + mailUsableMs),
  })
}

export async function beginLook(
  deps: LookDeps,
  caller: Caller,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<void> {
  const { db, clock } = deps
  const { pair } = await peopleOf(db, caller, accountId)
  const at = clock.now()
  await db.transaction().execute(async (trx) => {
    const waits = (await consentTo(deps, trx, caller, accountId)) !== 'given'
    // One that has to wait is recorded as a look once it is one.
    await putLook(trx, { ...pair, reason, at, recordedAt: waits ? new Date(0) : at })
    if (waits) await ask(deps, trx, caller, { accountId, reason, at })
    else await recordLook(trx, caller, accountId, reason)
  })
}

/**
 * Whom and why; the look is undefined where no reason was given within a day, or without the customer's consent, which
 * may be waited for (`waits`); it is recorded where it is a new one.
 */
export async function goOnLooking(deps: LookDeps, caller: Caller, accountId: string) {
  const { db, clock } = deps
  const { pair, did } = await peopleOf(db, caller, accountId)
  const at = clock.now()
  const look = await findLook(db, pair)
  if (!look || at.getTime() - look.begun_at.getTime() >= reasonMs) return { did, look: undefined, waits: false }
  const consent = await consentTo(deps, db, caller, accountId)
  // One that was declined, has ended or was never asked for is asked for with another reason.
  if (consent !== 'given') return { did, look: undefined, waits: consent === 'asked' }
  const before = new Date(at.getTime() - sameLookMs)
  if (look.recorded_at < before) {
    await db.transaction().execute(async (trx) => {
      // Of two pages that are opened at once, one records.
      if (await renewLook(trx, pair, { at, before })) await recordLook(trx, caller, accountId, look.reason)
    })
  }
  return { did, look, waits: false }
}

/**
 * The customer as whom `staff` look at the console. Without the role of an Admin, who sees what belongs to
 * others, and without a session: none of the customer's is used.
 */
export async function lookAs(deps: LookDeps, staff: Caller, accountId: string): Promise<Caller> {
  const { did, look } = await goOnLooking(deps, staff, accountId)
  if (!look) refuse('reasonFirst')
  return { userid: accountId, did, sessionId: '', role: 'User', ip: staff.ip }
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
  { db, clock }: Pick<LookDeps, 'db' | 'clock'>,
  caller: Caller,
  { accountId, text }: { accountId: string; text: string },
): Promise<void> {
  const { pair } = await peopleOf(db, caller, accountId)
  const note = { account_id: accountId, written_by: pair.staff_id, text, at: clock.now() }
  await db.transaction().execute((trx) => insertNote(trx, note))
}
