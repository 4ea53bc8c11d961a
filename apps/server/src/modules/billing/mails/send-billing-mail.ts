/**
 * Mails about money: each is written once, under a key, in the transaction of what it reports; in the account's
 * language, with its zone's days. An account without an address gets none.
 */
import type { OptionalMail } from '@atoll/contract/accounts'
import type { BillingMailKind } from '@atoll/contract/billing'
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { accountNow, findAddressee } from '../../accounts/index.ts'
import { billingMail, type Mail } from '../../mail/index.ts'
import type { MailFacts, MailKindName } from './mail-facts.ts'
import { figuresOf } from './mail-figures.ts'
import { mailWriters } from './mail-writers.ts'

interface BillingMailsTable {
  userid: string
  key: string
  kind: BillingMailKind
  at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    billing_mails: BillingMailsTable
  }
}

export interface BillingMailDeps {
  clock: Clock
  mail: Pick<Mail, 'post'>
}

/** Those that an account may do without. Spending caps and cards that expire are about money. */
const optionalOf: Partial<Record<MailKindName, OptionalMail>> = { usage: 'usage', renewalSoon: 'reminders' }

/** After this long nobody is helped by what it says, ms. */
const usableMs = 3 * 24 * 60 * 60_000

/**
 * Writes the mail down, unless there was one under this key. Under the account's lock. Facts that have to be read are
 * read only for a mail that is written.
 */
export async function sendBillingMail<Kind extends MailKindName>(
  { clock, mail }: BillingMailDeps,
  trx: Trx,
  {
    userid,
    kind,
    key,
    facts,
  }: { userid: string; kind: Kind; key: string; facts: MailFacts[Kind] | (() => Promise<MailFacts[Kind]>) },
): Promise<void> {
  const to = await findAddressee(trx, userid)
  const optional = optionalOf[kind]
  if (!to || (optional && to.mailsOff.includes(optional))) return
  const now = clock.now()
  const at = accountNow(to, now)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('billing_mails')
    .values({ userid, key: `${kind} ${key}`, kind, at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  const resolved = typeof facts === 'function' ? await facts() : facts
  const body = mailWriters[kind](resolved, figuresOf(to), to.locale)
  await mail.post(trx, {
    kind: billingMail,
    params: { ...body, account: to.name },
    userid,
    to: to.email,
    locale: to.locale,
    at,
    ...(optional && { optional }),
    usableUntil: new Date(now.getTime() + usableMs),
  })
}
