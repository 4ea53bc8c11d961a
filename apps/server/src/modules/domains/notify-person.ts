/** Mails to people about domains, in their language; those without a proven email read it in the console alone. */
import type { NewsKind } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Trx } from '../../platform/db/index.ts'
import { domainMail, type Mail } from '../mail/index.ts'
import { recordNews } from '../news/index.ts'

export type DomainNews = z.input<typeof domainMail.params>
export type NotifyPerson = (trx: Trx, userid: string, news: DomainNews) => Promise<void>

/** News is still worth sending so much later, ms. */
const usableMs = 3 * 24 * 60 * 60_000

/** An invitation is to an address, which may be of no account. */
const newsOf = {
  invited: undefined,
  nameLost: 'domainNameLost',
  memberRemoved: 'domainMemberRemoved',
  delegationLost: 'domainDelegationLost',
  delegationBack: 'domainDelegationBack',
  contested: 'domainContested',
  contestOver: 'domainContestOver',
  domainReleased: 'domainReleased',
  offered: 'domainOffered',
  handedOver: 'domainHandedOver',
  httpsFailing: 'domainHttpsFailing',
  httpsEnding: 'domainHttpsEnding',
} as const satisfies Record<DomainNews['event'], NewsKind | undefined>

/** Mails are sent when `trx` commits. */
export function createNotifyPerson(deps: {
  clock: Clock
  mail: Pick<Mail, 'post'>
  /** Undefined without a proven email. */
  findAddressee(trx: Trx, userid: string): Promise<{ email: string; locale: Locale; timeZone: string } | undefined>
}): NotifyPerson {
  return async (trx, userid, news) => {
    const at = deps.clock.now()
    const kind = newsOf[news.event]
    if (kind) await recordNews(trx, { userid, at, kind, object: { id: news.domain, name: news.domain } })
    const addressee = await deps.findAddressee(trx, userid)
    if (!addressee) return
    const { email: to, locale, timeZone } = addressee
    const usableUntil = new Date(at.getTime() + usableMs)
    // News without a deadline leave the zone out.
    const params = { ...news, timeZone }
    await deps.mail.post(trx, { kind: domainMail, params, userid, to, locale, usableUntil })
  }
}
