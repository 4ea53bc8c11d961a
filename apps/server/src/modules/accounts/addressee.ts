import type { OptionalMail } from '@atoll/contract/accounts'
import { displayName, type Locale } from '@atoll/contract/wire'
import type { Db } from '../../platform/db/index.ts'
import type { Limits } from './account-service.ts'
import { findNamedAccount } from './stores/account-store.ts'

/** Whom a mail about an account goes to, and how it is written. */
export interface Addressee extends Pick<Limits, 'currency' | 'zone' | 'clockOffsetMs'> {
  email: string
  /** The account's name in mails: its ID, or its shortened DID. */
  name: string
  locale: Locale
  /** IANA name of the zone that it reads deadlines in. */
  timeZone: string
  /** Optional kinds of mail that it does without. */
  mailsOff: readonly OptionalMail[]
}

/** Undefined for an account without an address. */
export async function findAddressee(db: Db, userid: string): Promise<Addressee | undefined> {
  const account = await findNamedAccount(db, userid)
  if (!account?.email) return undefined
  const { email, locale, terminus_name: terminusName, clock_offset_ms: clockOffsetMs } = account
  const market = { currency: account.currency ?? 'usd', zone: account.zone ?? 'UTC' } as const
  // Until its console has sent one: the zone of its money. The sign of such names is that of POSIX.
  const timeZone = account.time_zone ?? (market.zone === 'UTC' ? 'UTC' : 'Etc/GMT-8')
  const name = displayName({ terminusName, userid: account.did })
  return { email, name, locale, timeZone, mailsOff: account.mails_off, clockOffsetMs, ...market }
}
