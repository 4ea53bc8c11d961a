/**
 * Approving in the wallet (issue 33, point 2).
 *
 *   waiting ──wallet reads──▶ read ──signs──▶ approved ──the act is done──▶ used
 *      └──────────┴──────────┴──declines, or the page is closed──▶ declined      (each: expired after five minutes)
 *
 * A session alone performs no act that has to be approved: the act needs a signature of the calling DID over the act's
 * subject, which is derived from the act's own fields once when it is begun and again, in the transaction that performs
 * it, when the signature arrives. The nonce's row, locked, is used once; the signer stays an operator until that
 * transaction ends.
 */
import { randomBytes } from 'node:crypto'
import { encodeApproveCode } from '@atoll/contract/identity'
import { ApprovalStatement, approvalLifetimeMs, SignedApproval } from '@atoll/contract/staff'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid, findDid, findName, requireOperator } from '../../accounts/index.ts'
import { verifySignedRequest } from '../../identity/index.ts'
import type { ActSubject, AnyAct } from '../acts/act.ts'
import {
  countApprovals,
  declineUnused,
  findApproval,
  insertApproval,
  lockApproval,
  updateApproval,
} from '../stores/approval-store.ts'

export interface ApprovalDeps {
  db: Db
  clock: Clock
  config: { publicUrl: string }
}

/** Approvals that one person may ask for within an hour. */
const mostAnHour = 30
const hourMs = 60 * 60_000

/** A hash of the act's fields, without the approval and the request's key; keys are sorted. */
function termsOf(body: object): string {
  const fields = Object.entries(body).filter(
    ([key, value]) => !/^(approval|requestId)$/.test(key) && value !== undefined,
  )
  return sha256Hex(JSON.stringify(Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))))
}

function subjectFields({ object, userid, amount }: ActSubject, caller: Caller) {
  return {
    object,
    customer: userid ?? caller.userid,
    ...(amount && { amount: amount.minor, currency: amount.currency }),
  }
}

/** Begins an approval of `act` by the wallet of `caller`. `parameters`: the act's fields as JSON. */
export async function beginApproval(
  { db, clock, config }: ApprovalDeps,
  { act, parameters, caller, locale }: { act: AnyAct; parameters: string; caller: Caller; locale: Locale },
): Promise<{ nonce: string; code: string; expireAt: string }> {
  const body = readParameters(act.call.body, { ...JSON.parse(parameters), approval: 'a.b.c' }, locale)
  const now = clock.now()
  const nonce = randomBytes(16).toString('hex')
  const salt = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + approvalLifetimeMs)
  await db.transaction().execute(async (trx) => {
    const { userid: accountId } = caller
    await requireOperator(trx, accountId)
    const asked = await countApprovals(trx, accountId, new Date(now.getTime() - hourMs))
    if (asked >= mostAnHour) refuse('approvalsTooMany', { count: asked })
    const subject = await act.describe(trx, body as never) // its own call's schema parsed it
    // A customer without an ID is identified by the DID.
    const whose = subject.userid ?? caller.userid
    const name = (await findName(trx, whose)) ?? (await findDid(trx, whose)) ?? ''
    const statement: ApprovalStatement = {
      topic: 'approve',
      act: act.act,
      ...subjectFields(subject, caller),
      nameHash: sha256Hex(salt + name),
      reason: body.reason,
      terms: termsOf(body),
      nonce,
      exp: Math.floor(expiresAt.getTime() / 1000),
    }
    await insertApproval(trx, {
      nonce,
      account_id: accountId,
      act: act.act,
      statement: JSON.stringify(statement),
      name,
      salt,
      created_at: now,
      expires_at: expiresAt,
    })
  })
  const code = encodeApproveCode({ topic: 'approve', message: { url: new URL(config.publicUrl).origin, nonce } })
  return { nonce, code, expireAt: expiresAt.toISOString() }
}

/** How an approval of `caller` stands. */
export async function describeApproval({ db, clock }: ApprovalDeps, caller: Caller, nonce: string) {
  const row = await findApproval(db, nonce)
  if (!row || row.account_id !== caller.userid) refuse('approvalExpired')
  if (row.declined_at) return { state: 'declined' as const, approval: null }
  if (row.expires_at <= clock.now()) return { state: 'expired' as const, approval: null }
  if (row.jws) return { state: 'approved' as const, approval: row.jws }
  return { state: row.read_at ? ('read' as const) : ('waiting' as const), approval: null }
}

/** For the wallet that read the code: what it is asked, and the name that the hash stands for. */
export async function openApproval({ db, clock }: ApprovalDeps, nonce: string) {
  const row = await findApproval(db, nonce)
  const did = row && (await findDid(db, row.account_id))
  if (!row || did === undefined || row.expires_at <= clock.now() || row.declined_at) refuse('approvalExpired')
  await updateApproval(db, nonce, { read_at: clock.now() })
  const { name, salt } = row
  return { statement: ApprovalStatement.parse(JSON.parse(row.statement)), did, name, salt }
}

/** By the wallet, or by the requesting page when it is closed: a signature made meanwhile is invalid as well. */
export async function declineApproval({ db, clock }: ApprovalDeps, nonce: string): Promise<void> {
  await declineUnused(db, nonce, clock.now())
}

/** Verifies a signature over a statement: who signed it, and what was signed. */
async function verifyApproval(jws: string, { now, locale }: { now: Date; locale: Locale }) {
  const { did, payload } = await verifySignedRequest(jws, { now, locale })
  const { iss: _, ...statement } = readParameters(SignedApproval, payload, locale)
  return { did, statement }
}

/** A wallet delivers what it signed; the page that asked finds it and does the act. */
export async function deliverApproval(deps: ApprovalDeps, jws: string, locale: Locale): Promise<void> {
  const now = deps.clock.now()
  const { did, statement } = await verifyApproval(jws, { now, locale })
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockApproval(trx, statement.nonce)
    if (!row || row.expires_at <= now || row.declined_at) refuse('approvalExpired')
    if (row.used_at) refuse('approvalUsed')
    if (row.account_id !== (await findAccountOfDid(trx, did))) refuse('approvalOfOther')
    if (!isSame(statement, JSON.parse(row.statement))) refuse('approvalChanged')
    await updateApproval(trx, statement.nonce, { jws })
  })
}

/** Uses up the approval that comes with an act, in the transaction that does it; refuses whatever is not the same. */
export async function useApproval(
  trx: Trx,
  { act, body, caller, now, locale }: { act: AnyAct; body: Approved; caller: Caller; now: Date; locale: Locale },
): Promise<void> {
  const { did, statement } = await verifyApproval(body.approval, { now, locale })
  if (did !== caller.did) refuse('approvalOfOther')
  const row = await lockApproval(trx, statement.nonce)
  if (!row || row.expires_at <= now || row.declined_at) refuse('approvalExpired')
  if (row.used_at) refuse('approvalUsed')
  await requireOperator(trx, row.account_id)
  const subject = await act.describe(trx, body as never) // its own call's schema parsed it
  const { act: asked, reason, terms } = statement
  const isAsked = asked === act.act && reason === body.reason && terms === termsOf(body)
  const { object, customer, amount, currency } = statement
  const fields = { object, customer, ...(amount !== undefined && { amount, currency }) }
  if (!isAsked || !isSame(fields, subjectFields(subject, caller)) || !isSame(statement, JSON.parse(row.statement)))
    refuse('approvalChanged')
  await updateApproval(trx, statement.nonce, { used_at: now })
}
type Approved = { reason: string; approval: string }

function isSame(one: object, other: object): boolean {
  const text = (value: object) => JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return text(one) === text(other)
}
