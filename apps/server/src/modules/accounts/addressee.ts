import { displayName, type Locale } from '@atoll/contract/wire'
import type { Currency, Zone } from '@atoll/money'
import type { Db } from '../../platform/db/index.ts'
import { findNamedAccount } from './account-store.ts'

/** Whom a mail about an account goes to, and how it is written. */
export interface Addressee {
  email: string
  /** What mails call the account: its ID, or its shortened DID. */
  name: string
  locale: Locale
  currency: Currency
  zone: Zone
  /** How far its clock is ahead of the wall's: see `accountNow`. */
  clockOffsetMs: number
}

/** Undefined for an account without an address. */
export async function findAddressee(db: Db, userid: string): Promise<Addressee | undefined> {
  const account = await findNamedAccount(db, userid)
  if (!account?.email) return undefined
  const { email, locale, terminus_name: terminusName, clock_offset_ms: clockOffsetMs } = account
  const market = { currency: account.currency ?? 'usd', zone: account.zone ?? 'UTC' }
  return { email, name: displayName({ terminusName, userid }), locale, clockOffsetMs, ...market }
}
