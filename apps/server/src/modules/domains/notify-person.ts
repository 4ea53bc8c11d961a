/** Mails to people about domains, in their language; those without a proven email read it in the console alone. */
import type { Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Trx } from '../../platform/db/index.ts'
import { domainMail, type Mail } from '../mail/index.ts'

export type DomainNews = z.input<typeof domainMail.params>
export type NotifyPerson = (trx: Trx, userid: string, news: DomainNews) => Promise<void>

/** News is still worth sending so much later, ms. */
const usableMs = 3 * 24 * 60 * 60_000

/** Mails are sent when `trx` commits. */
export function createNotifyPerson(deps: {
  clock: Clock
  mail: Pick<Mail, 'post'>
  /** Undefined without a proven email. */
  findAddressee(trx: Trx, userid: string): Promise<{ email: string; locale: Locale; timeZone: string } | undefined>
}): NotifyPerson {
  return async (trx, userid, news) => {
    const addressee = await deps.findAddressee(trx, userid)
    if (!addressee) return
    const { email: to, locale, timeZone } = addressee
    const usableUntil = new Date(deps.clock.now().getTime() + usableMs)
    // News without a deadline leave the zone out.
    const params = { ...news, timeZone }
    await deps.mail.post(trx, { kind: domainMail, params, userid, to, locale, usableUntil })
  }
}
