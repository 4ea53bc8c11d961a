import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { heldScopeOf } from '../../accounts/index.ts'
import { openDisputes } from '../records/dispute-store.ts'
import { pastDueBills } from '../records/dunning-store.ts'

/** Reasons for which an account may not order now. */
export interface Buyer {
  /** All tries to collect one of its bills have failed. */
  isPastDue: boolean
  isHeld: boolean
  /** It disputes what it paid. */
  isDisputing: boolean
}

/** As it is under the account's lock. */
export async function loadBuyer(db: Db, userid: string): Promise<Buyer> {
  return await db
    .selectNoFrom(({ exists }) => [
      sql<boolean>`${exists(pastDueBills(db, userid))}`.as('isPastDue'),
      sql<boolean>`${heldScopeOf(sql`${userid}`)} is not null`.as('isHeld'),
      sql<boolean>`${exists(openDisputes(db, userid))}`.as('isDisputing'),
    ])
    .executeTakeFirstOrThrow()
}

/** Why nothing is sold to it; undefined: it may order. While it disputes what it paid, nothing that costs is. Pure. */
export function whyNotSold(
  { isPastDue, isHeld, isDisputing }: Buyer,
  { costs }: { costs: boolean },
): 'accountPastDue' | 'accountHeld' | 'paymentDisputed' | undefined {
  if (isPastDue) return 'accountPastDue'
  if (isHeld) return 'accountHeld'
  return costs && isDisputing ? 'paymentDisputed' : undefined
}
