/** Mail to users: written down with the change it belongs to, sent by a job, by SMTP or into the outbox folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MailState } from '@atoll/contract/accounts'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { newId, type Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import type { MailDriver } from './drivers/mail-driver.ts'
import { openOutbox } from './drivers/outbox/outbox-folder.ts'
import { createSmtpDriver } from './drivers/smtp/smtp-driver.ts'
import { mailSend } from './jobs/mail-send.ts'
import { mailSweep } from './jobs/mail-sweep.ts'
import { findMailState, type MailOrder, type MailServiceDeps, postMail } from './mail-service.ts'
import { isOutboxShown, outboxPlugin } from './outbox-page.ts'

export { forgetOutbox } from './drivers/outbox/outbox-folder.ts'
export { mailKeyMoves } from './key-moves.ts'
export { type MailOrder, postMail, resendMail } from './mail-service.ts'
export { countMails, countSent, isMailWaiting, listMailsOf, listUndelivered } from './mail-store.ts'
export { accountMail } from './templates/account-mail.ts'
export { alertMail } from './templates/alert-mail.ts'
export { announcementMail } from './templates/announcement-mail.ts'
export { backupMail } from './templates/backup-mail.ts'
export { billingMail } from './templates/billing-mail.ts'
export { deadlineText } from './templates/deadline-text.ts'
export { domainMail } from './templates/domain-mail.ts'
export { drainMail } from './templates/drain-mail.ts'
export { emailCodeMail } from './templates/email-code.ts'
export { emailUnlinkedMail } from './templates/email-unlinked.ts'
export { staffMail } from './templates/staff-mail.ts'
export { staffMessageMail } from './templates/staff-message.ts'
export { suspendedMail } from './templates/suspended-mail.ts'
export { readUnsubscribeToken, unsubscribePath } from './unsubscribe-token.ts'

export interface MailDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  readInvoice: MailServiceDeps['readInvoice']
  config: {
    /** Undefined: mails go to the folder `outbox` in the data folder. */
    smtpUrl: string | undefined
    smtpCaFile: string | undefined
    mailFrom: string
    product: string
    links?: { support: string | undefined }
    publicUrl: string
    dataDir: string
    databaseUrl: string | undefined
    host: string
    trustProxy: number
  }
}

export interface Mail {
  /** The page of the outbox, where it may be shown; else nothing. */
  plugin: FastifyPluginAsync
  /** Whether there is that page. */
  isOutboxShown: boolean
  jobs: Job[]
  /** Writes a mail down and has it sent when `trx` commits; gives its id. */
  post<Params extends z.ZodType>(trx: Trx, order: MailOrder<Params>): Promise<string>
  /** How a mail fares; undefined when it is no longer known. */
  findState(db: Db, id: string): Promise<MailState | undefined>
  /** To the operator, at once and by this process: jobs may be what does not run. Throws when it is not taken. */
  sendToOperator(mail: { to: string; subject: string; text: string }): Promise<void>
}

export function createMail({ db, clock, sealer, config, readInvoice }: MailDeps): Mail {
  const outbox = openOutbox({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom })
  const driver: MailDriver = config.smtpUrl === undefined ? outbox : liveSmtpDriver(config)
  const site = {
    product: config.product,
    url: config.publicUrl,
    support: config.links?.support?.replace(/^mailto:/, ''),
  }
  const isShown = driver === outbox && isOutboxShown(config)
  return {
    isOutboxShown: isShown,
    plugin: isShown ? outboxPlugin(outbox, config.product) : async () => undefined,
    jobs: [mailSend({ db, clock, sealer, driver, site, readInvoice }), mailSweep({ db, clock })],
    post: (trx, order) => postMail(trx, { clock, sealer }, order),
    findState: findMailState,
    async sendToOperator({ to, subject, text }) {
      const messageId = `${newId('ml')}@${new URL(config.publicUrl).hostname}`
      await driver.deliver({ messageId, to, subject, text, html: `<pre>${escapeHtml(text)}</pre>`, date: clock.now() })
    },
  }
}

/** By the address of now: its password may change while this process runs. */
function liveSmtpDriver(config: MailDeps['config']): MailDriver {
  const open = (url: string) => createSmtpDriver({ url, from: config.mailFrom, ca: readCa(config.smtpCaFile) })
  let url = config.smtpUrl ?? ''
  let driver = open(url)
  return {
    async deliver(mail) {
      if (config.smtpUrl !== undefined && config.smtpUrl !== url) {
        driver.close()
        url = config.smtpUrl
        driver = open(url)
      }
      await driver.deliver(mail)
    },
    close: () => driver.close(),
  }
}

/** Signs in at the mail server and sends nothing; throws with what it says. */
export async function tryMailServer(
  config: Pick<MailDeps['config'], 'smtpUrl' | 'smtpCaFile' | 'mailFrom'>,
): Promise<void> {
  if (config.smtpUrl === undefined) throw new OperatorError('ATOLL_SMTP_URL is not set')
  const driver = createSmtpDriver({ url: config.smtpUrl, from: config.mailFrom, ca: readCa(config.smtpCaFile) })
  try {
    await driver.verify()
  } finally {
    driver.close()
  }
}

function readCa(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`ATOLL_SMTP_CA_FILE: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}
