import { displayName, type Locale } from '@atoll/contract/wire'
import type { Db } from '../../platform/db/index.ts'
import type { Limits } from './account-service.ts'
import { findNamedAccount } from './account-store.ts'

/** Whom a mail about an account goes to, and how it is written. */
export interface Addressee extends Pick<Limits, 'currency' | 'zone' | 'clockOffsetMs'> {
  email: string
  /** What mails call the account: its ID, or its shortened DID. */
  name: string
  locale: Locale
}

/** Undefined for an account without an address. */
export async function findAddressee(db: Db, userid: string): Promise<Addressee | undefined> {
  const account = await findNamedAccount(db, userid)
  if (!account?.email) return undefined
  const { email, locale, terminus_name: terminusName, clock_offset_ms: clockOffsetMs } = account
  const market = { currency: account.currency ?? 'usd', zone: account.zone ?? 'UTC' }
  return { email, name: displayName({ terminusName, userid }), locale, clockOffsetMs, ...market }
}
