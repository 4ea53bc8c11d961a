/**
 * Binding an email address: a six-digit code is mailed to it; typing the code proves that the mail was read.
 *
 *   asked for ──right code in time──▶ bound
 *       ├──five wrong ones, ten minutes, a newer code──▶ spent
 *       └──given up, or the address removed──▶ forgotten
 *
 * Only the newest code of an account counts. Mails are limited per requesting account and per receiving mailbox,
 * decided under locks on both, so that neither many accounts nor many tabs can flood a stranger.
 */
import { randomInt } from 'node:crypto'
import {
  type EmailBinding,
  emailCodeDigits,
  emailCodeLifetimeMs,
  emailCodePauseMs,
  emailCodesPerHour,
  emailCodeTries,
} from '@atoll/contract/accounts'
import type { ErrorKey } from '@atoll/contract/api'
import { displayName, type Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { newId, type Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { type RefusalParams, refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { emailCodeMail, emailUnlinkedMail, type Mail } from '../../mail/index.ts'
import { findNamedAccount, lockAccount, setEmail, setLocale } from '../stores/account-store.ts'
import { mailboxKey, normaliseEmail } from './email-address.ts'
import {
  endEmailCodes,
  findNewestEmailCode,
  insertEmailCode,
  listCodeTimes,
  lockMailbox,
  lockNewestEmailCode,
  setTriesLeft,
} from './email-code-store.ts'

export interface EmailDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  mail: Pick<Mail, 'post' | 'findState'>
}

const hourMs = 60 * 60_000
/** A notice that an address was unlinked is still worth sending this much later, ms. */
const noticeUsableMs = 24 * hourMs

/** The bound address, and the one whose code is awaited. */
export async function describeEmail({ db, clock, mail }: EmailDeps, userid: string): Promise<EmailBinding> {
  const account = await findNamedAccount(db, userid)
  const code = await findNewestEmailCode(db, userid)
  const email = account?.email ?? null
  if (!code || code.ended_at || code.expires_at <= clock.now()) return { email, pending: null }
  return {
    email,
    pending: {
      email: code.email,
      mail: (await mail.findState(db, code.mail_id)) ?? 'failed',
      expireAt: code.expires_at.toISOString(),
      nextCodeAt: new Date(code.created_at.getTime() + emailCodePauseMs).toISOString(),
      triesLeft: code.tries_left,
    },
  }
}

/**
 * Mails a new code to an address; the codes before it no longer work. Refuses what cannot be mailed to, and too many.
 */
export async function sendEmailCode(
  deps: EmailDeps,
  caller: Caller,
  request: { email: string; locale: Locale },
): Promise<EmailBinding> {
  const { db, clock, sealer, mail } = deps
  const email = getEmail(request.email)
  await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, caller.userid)
    if (!account) refuse('notFound', { object: 'account' })
    if (account.email === email) refuse('emailAlreadyBound', { email })
    await lockMailbox(trx, mailboxKey(email))
    const now = clock.now()
    const since = new Date(now.getTime() - hourMs)
    requirePause(await listCodeTimes(trx, { userid: caller.userid }, since), now)
    requirePause(await listCodeTimes(trx, { mailbox: mailboxKey(email) }, since), now)

    const id = newId('ec')
    const code = String(randomInt(10 ** emailCodeDigits)).padStart(emailCodeDigits, '0')
    const expiresAt = new Date(now.getTime() + emailCodeLifetimeMs)
    await endEmailCodes(trx, caller.userid, now)
    const mailId = await mail.post(trx, {
      kind: emailCodeMail,
      params: { code, account: await nameOfAccount(trx, caller.userid) },
      userid: caller.userid,
      to: email,
      locale: request.locale,
      usableUntil: expiresAt,
    })
    await insertEmailCode(trx, {
      id,
      userid: caller.userid,
      email,
      mailbox: mailboxKey(email),
      code_hash: hashCode(sealer, id, code),
      mail_id: mailId,
      tries_left: emailCodeTries,
      created_at: now,
      expires_at: expiresAt,
    })
    await setLocale(trx, caller.userid, request.locale)
    await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  })
  return await describeEmail(deps, caller.userid)
}

/**
 * Binds the address whose code was typed. A wrong code costs a try; each way to be wrong has its own entry of the
 * catalogue.
 */
export async function verifyEmailCode(
  deps: EmailDeps,
  caller: Caller,
  request: { email: string; code: string; locale: Locale },
): Promise<EmailBinding> {
  const { db, clock, sealer } = deps
  const email = getEmail(request.email)
  const typed = request.code.replace(/\s/g, '')
  const problem = await db.transaction().execute(async (trx): Promise<[ErrorKey, RefusalParams?] | undefined> => {
    const account = await lockAccount(trx, caller.userid)
    const code = await lockNewestEmailCode(trx, caller.userid)
    if (!account || !code || code.ended_at || code.email !== email) return ['emailCodeNone', { email }]
    if (code.expires_at <= clock.now()) return ['emailCodeExpired']
    if (code.tries_left === 0) return ['emailCodeSpent', { tries: emailCodeTries }]
    if (!sealer.accepts('email code', `${code.id} ${typed}`, code.code_hash)) {
      const left = code.tries_left - 1
      await setTriesLeft(trx, code.id, left)
      await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
      return left > 0 ? ['emailCodeWrong', { left }] : ['emailCodeSpent', { tries: emailCodeTries }]
    }
    await endEmailCodes(trx, caller.userid, clock.now())
    await changeEmail(trx, deps, caller, { from: account.email, to: email, locale: request.locale })
    return undefined
  })
  // Refused only now: a refusal inside would have given the try back.
  if (problem) refuse(...problem)
  return await describeEmail(deps, caller.userid)
}

/**
 * Forgets a code that is awaited; the bound address stays, and so does the pause before the next code. Safe to repeat.
 */
export async function cancelEmailCode(deps: EmailDeps, userid: string): Promise<EmailBinding> {
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userid)
    await endEmailCodes(trx, userid, deps.clock.now())
    await publishChange(trx, { account: userid, topic: 'account', id: userid })
  })
  return await describeEmail(deps, userid)
}

/** Unbinds the address and forgets a code that is awaited. Safe to repeat. */
export async function removeEmail(deps: EmailDeps, caller: Caller, locale: Locale): Promise<EmailBinding> {
  await deps.db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, caller.userid)
    await endEmailCodes(trx, caller.userid, deps.clock.now())
    if (account?.email) await changeEmail(trx, deps, caller, { from: account.email, to: null, locale })
    else await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  })
  return await describeEmail(deps, caller.userid)
}

/** The one place where the bound address changes: audited, published to other tabs, and mailed to the old address. */
async function changeEmail(
  trx: Trx,
  { clock, mail }: EmailDeps,
  caller: Caller,
  change: { from: string | null; to: string | null; locale: Locale },
): Promise<void> {
  await setEmail(trx, caller.userid, change.to)
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action: change.to === null ? 'account.removeEmail' : 'account.setEmail',
    object: { kind: 'account', id: caller.userid, owner: caller.userid },
    before: { email: change.from },
    after: { email: change.to },
  })
  await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  if (change.from !== null)
    await tellUnlinked(trx, { clock, mail }, { ...change, userid: caller.userid, from: change.from })
}

/**
 * Unbinds the address of an account whose holder cannot get at it; the old address is told. False: none was bound. Who
 * asks records it.
 */
export async function resetEmail(
  trx: Trx,
  deps: Pick<EmailDeps, 'clock' | 'mail'>,
  { userid, locale }: { userid: string; locale: Locale },
): Promise<boolean> {
  const account = await lockAccount(trx, userid)
  await endEmailCodes(trx, userid, deps.clock.now())
  if (!account?.email) return false
  await setEmail(trx, userid, null)
  await publishChange(trx, { account: userid, topic: 'account', id: userid })
  await tellUnlinked(trx, deps, { userid, from: account.email, locale })
  return true
}

async function tellUnlinked(
  trx: Trx,
  { clock, mail }: Pick<EmailDeps, 'clock' | 'mail'>,
  { userid, from, locale }: { userid: string; from: string; locale: Locale },
): Promise<void> {
  await mail.post(trx, {
    kind: emailUnlinkedMail,
    params: { account: await nameOfAccount(trx, userid) },
    userid,
    to: from,
    locale,
    usableUntil: new Date(clock.now().getTime() + noticeUsableMs),
  })
}

function getEmail(typed: string): string {
  return normaliseEmail(typed) ?? refuse('emailMalformed')
}

/** One code a minute, five an hour; `times` are those of the last hour, newest first. */
function requirePause(times: readonly Date[], now: Date): void {
  const [latest] = times
  const wait = (until: number) => Math.max(1, Math.ceil((until - now.getTime()) / 1000))
  if (latest && now.getTime() - latest.getTime() < emailCodePauseMs)
    refuse('emailCodeTooSoon', { seconds: wait(latest.getTime() + emailCodePauseMs) })
  const fifth = times[emailCodesPerHour - 1]
  if (fifth)
    refuse('emailCodeTooMany', {
      count: emailCodesPerHour,
      minutes: Math.max(1, Math.ceil(wait(fifth.getTime() + hourMs) / 60)),
    })
}

/** Six digits are guessed from a plain hash at once; this one needs the deployment's key. */
function hashCode(sealer: Sealer, id: string, code: string): string {
  return sealer.derive('email code', `${id} ${code}`)
}

/** The account's name in mails: its ID, or its shortened DID. */
async function nameOfAccount(trx: Trx, userid: string): Promise<string> {
  const account = await findNamedAccount(trx, userid)
  return displayName({ terminusName: account?.terminus_name, userid: account?.did ?? '' })
}
