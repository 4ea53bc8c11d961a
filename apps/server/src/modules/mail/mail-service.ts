/**
 * Mails are stored in the transaction of the change that they report, and sent by a job.
 *
 *   waiting ──taken──▶ sent
 *      │ failed for now        ┌──taken──▶ sent
 *      └──────────▶ delayed ───┤
 *                    ▲    │    └──refused for good, or no longer of use──▶ failed
 *                    └────┘ after a pause that doubles
 *
 * While the deployment is careful all mails but codes wait: mails that are unsent according to the database may have
 * been sent. `postMail` writes the first state in the caller's transaction, `sendMail` (the job) all others. A mail may
 * be sent twice when the worker dies between sending and recording that; it then carries the same Message-ID. A mail's
 * content is sealed, and removed once it was sent or is of no more use; staff may send again a mail that was refused.
 */
import type { MailState, OptionalMail } from '@atoll/contract/accounts'
import { backoffMs, type Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import { findHold } from '../../platform/careful/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, type Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import type { Log } from '../../platform/log.ts'
import { type MailDriver, MailRefused } from './drivers/mail-driver.ts'
import { delayMail, endMail, findMail, insertMail, type MailRow, reopenMail } from './mail-store.ts'
import { accountMail } from './templates/account-mail.ts'
import { alertMail } from './templates/alert-mail.ts'
import { announcementMail } from './templates/announcement-mail.ts'
import { backupMail } from './templates/backup-mail.ts'
import { billingMail } from './templates/billing-mail.ts'
import { domainMail } from './templates/domain-mail.ts'
import { drainMail } from './templates/drain-mail.ts'
import { emailCodeMail } from './templates/email-code.ts'
import { emailUnlinkedMail } from './templates/email-unlinked.ts'
import { type MailSite, mailHtml, mailText } from './templates/mail-frame.ts'
import type { MailKind } from './templates/mail-kind.ts'
import { staffMail } from './templates/staff-mail.ts'
import { staffMessageMail } from './templates/staff-message.ts'
import { suspendedMail } from './templates/suspended-mail.ts'
import { makeUnsubscribeToken, unsubscribePath } from './unsubscribe-token.ts'

export interface MailServiceDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  driver: MailDriver
  site: MailSite
  /** The PDF of an invoice of the account, with its number. */
  readInvoice(of: { userid: string; invoiceId: string; locale: Locale }): Promise<{ number: string; bytes: Buffer }>
}

export const mailSendJob = 'mail.send'

const kinds: readonly MailKind[] = [
  ...[accountMail, alertMail, announcementMail, backupMail, billingMail],
  ...[domainMail, drainMail, emailCodeMail, emailUnlinkedMail, staffMail, staffMessageMail, suspendedMail],
]

/** Somebody waits for these in front of a screen, whatever the deployment's state. */
const sentWhileCareful: readonly MailKind[] = [emailCodeMail]
/** From a mail that had to wait to the next look, ms. */
const heldMs = 30_000

/** Short at first: somebody may be waiting in front of the screen. */
const backoff = { firstMs: 5000, longestMs: 15 * 60_000 }

export interface MailOrder<Params extends z.ZodType> {
  kind: MailKind<Params>
  params: z.input<Params>
  /** Whose account it is about; changes of the mail's state are published to it. */
  userid: string
  /** An address that was checked. */
  to: string
  locale: Locale
  /** Its kind, where the addressee may switch that off; the caller checks their choice before. */
  optional?: OptionalMail
  /** The date in its header; default: now. For an account whose clock is ahead, the time on that clock. */
  at?: Date
  /** After this moment, by the wall's clock, it helps nobody, and is given up. */
  usableUntil: Date
}

/** Writes a mail down and has it sent when the caller's transaction commits; gives its id. */
export async function postMail<Params extends z.ZodType>(
  trx: Trx,
  { clock, sealer }: Pick<MailServiceDeps, 'clock' | 'sealer'>,
  order: MailOrder<Params>,
): Promise<string> {
  const id = newId('ml')
  await insertMail(trx, {
    id,
    userid: order.userid,
    kind: order.kind.kind,
    recipient: order.to,
    locale: order.locale,
    optional: order.optional ?? null,
    params: sealer.seal('mail parameters', JSON.stringify(order.kind.params.parse(order.params))),
    created_at: order.at ?? clock.now(),
    usable_until: order.usableUntil,
  })
  await enqueueJob(trx, mailSendJob, { mailId: id }, { key: `${mailSendJob}:${id}` })
  return id
}

/** How a mail fares; undefined when it is no longer known. */
export async function findMailState(db: Db, id: string): Promise<MailState | undefined> {
  return (await findMail(db, id))?.state
}

/** One attempt at a mail; safe to repeat. Asks for the next attempt itself. */
export async function sendMail(deps: MailServiceDeps, mailId: string, log: Log): Promise<void> {
  const mail = await findMail(deps.db, mailId)
  if (!mail || mail.ended_at || mail.params === null) return
  const at = deps.clock.now()
  if (at >= mail.usable_until)
    return await end(deps, mail, { state: 'failed', failure: mail.failure ?? 'not sent in time' })
  if (!sentWhileCareful.some(({ kind }) => kind === mail.kind) && (await findHold(deps.db, { waits: 'careful' })))
    return await askAgain(deps.db, mail, new Date(Math.min(at.getTime() + heldMs, mail.usable_until.getTime())))
  try {
    await deps.driver.deliver(await compose(deps, mail, mail.params))
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    // Without the address: it is somebody's, and the log is read by others.
    log.warn({ mail: mailId, kind: mail.kind, attempt: mail.attempts + 1, failure }, 'a mail could not be sent')
    if (error instanceof MailRefused) return await end(deps, mail, { state: 'failed', failure })
    return await delay(deps, mail, failure)
  }
  await end(deps, mail, { state: 'sent', failure: null })
}

async function compose({ sealer, site, readInvoice }: MailServiceDeps, mail: MailRow, params: string) {
  const kind = kinds.find((one) => one.kind === mail.kind)
  if (!kind) throw new Error(`There is no mail of kind ${mail.kind}`)
  const { subject, pdfOf, ...body } = kind.compose(
    kind.params.parse(JSON.parse(sealer.open('mail parameters', params))),
    site,
    mail.locale,
  )
  const { userid, locale } = mail
  const invoice = pdfOf === undefined ? undefined : await readInvoice({ userid, invoiceId: pdfOf, locale })
  const attached = invoice && {
    filename: `${invoice.number}.pdf`,
    content: invoice.bytes,
    contentType: 'application/pdf',
  }
  return {
    messageId: `${mail.id}@${new URL(site.url).hostname}`,
    to: mail.recipient,
    subject,
    html: mailHtml(body, site, mail.locale),
    text: mailText(body, site, mail.locale),
    date: mail.created_at,
    ...(attached && { attachments: [attached] }),
    ...(mail.optional !== null && {
      unsubscribeUrl: new URL(
        `${unsubscribePath}/${makeUnsubscribeToken(sealer, { userid: mail.userid, mail: mail.optional })}`,
        site.url,
      ).href,
    }),
  }
}

async function end(
  { db, clock }: MailServiceDeps,
  mail: MailRow,
  outcome: { state: 'sent' | 'failed'; failure: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Codes are not kept: the person requests another one.
    const keeps = outcome.state === 'failed' && !sentWhileCareful.some(({ kind }) => kind === mail.kind)
    if (await endMail(trx, { id: mail.id, ...outcome, at: clock.now(), keeps })) await publishMail(trx, mail)
  })
}

/** Of use for so long again, ms. */
const resentMs = 24 * 60 * 60_000

/** Sends a mail again that was not delivered; false: what it said is not kept. */
export async function resendMail(trx: Trx, id: string, now: Date): Promise<boolean> {
  if (!(await reopenMail(trx, id, new Date(now.getTime() + resentMs)))) return false
  await enqueueJob(trx, mailSendJob, { mailId: id }, { key: `${mailSendJob}:${id}` })
  return true
}

async function delay({ db, clock }: MailServiceDeps, mail: MailRow, failure: string): Promise<void> {
  const wait = backoffMs(mail.attempts + 1, backoff)
  // Not past its use: then it is shown as given up, at that moment.
  const runAt = new Date(Math.min(clock.now().getTime() + wait, mail.usable_until.getTime()))
  await db.transaction().execute(async (trx) => {
    await delayMail(trx, { id: mail.id, failure })
    await askAgain(trx, mail, runAt)
    if (mail.state !== 'delayed') await publishMail(trx, mail)
  })
}

async function askAgain(db: Db, { id: mailId }: MailRow, runAt: Date): Promise<void> {
  await enqueueJob(db, mailSendJob, { mailId }, { key: `${mailSendJob}:${mailId}`, runAt })
}

async function publishMail(trx: Trx, mail: MailRow): Promise<void> {
  await publishChange(trx, { account: mail.userid, topic: 'account', id: mail.id })
}
