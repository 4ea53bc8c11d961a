/**
 * Usage above a quota is credit: what is not billed or not paid yet is never above what balance and promotional credit
 * cover, plus one threshold of the catalogue where there is a card whose newest charge was not declined. A usage bill
 * whose first try failed stops what is charged until it is paid.
 */
import { type Currency, type Money, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type LiveCatalog, usageThreshold } from '../../catalog/index.ts'
import { type Method, meansOf, toMeans } from '../pay/begin-payment.ts'
import { pastDueBills } from '../records/dunning-store.ts'

export interface MeansDeps {
  catalog: Pick<LiveCatalog, 'current'>
  /** The card that a bill is charged to. */
  findMethod(db: Db, userid: string): Promise<Method | null>
}

export interface UsageMeans {
  /** The most that unbilled usage may cost; the amount of unpaid bills of usage is already subtracted. */
  allowance: Money
  /** A card on file whose newest charge was not declined. */
  hasCard: boolean
  /** Its newest charge succeeded, and no bill of usage failed: what was used is charged, whatever it comes to. */
  isProven: boolean
  /** A bill of usage was not paid at its first try. */
  hasFailed: boolean
  /** All tries to collect one of its bills have failed. */
  isPastDue: boolean
}

export async function readUsageMeans(
  { catalog, findMethod }: MeansDeps,
  db: Db,
  { userid, currency, at }: { userid: string; currency: Currency; at: Date },
): Promise<UsageMeans> {
  const method = await findMethod(db, userid)
  const { unpaid, hasFailed, isPastDue, newest, ...read } = await db
    .selectFrom(usageBills(userid).as('bill'))
    // An amount held for a bill is no longer on the balance, and does not count as unpaid.
    .select([
      sql<number>`coalesce(sum(total - credited - held) filter (where state = 'open'), 0)::bigint`.as('unpaid'),
      sql<boolean>`coalesce(bool_or(tries > 0 and not is_under_way), false)`.as('hasFailed'),
      sql<boolean>`exists ${pastDueBills(db, userid)}`.as('isPastDue'),
      newestCharge(db, userid, method?.id ?? null).as('newest'),
    ])
    .select(meansOf(db, { userid, currency, at }))
    .executeTakeFirstOrThrow()
  const { promo, cash } = toMeans(read, currency)
  const hasCard = method !== null && newest !== 'declined'
  const threshold = hasCard ? usageThreshold(catalog.current(), currency).minor : 0
  const allowance = money(Math.max(promo.minor - cash.minor + threshold - unpaid, 0), currency)
  return { allowance, hasCard, isProven: hasCard && newest === 'succeeded' && !hasFailed, hasFailed, isPastDue }
}

/** The query of how the newest charge of a card ended; of nothing without one. */
function newestCharge(db: Db, userid: string, methodId: string | null) {
  return db
    .selectFrom('payments')
    .select('state')
    .where('userid', '=', userid)
    .where('method_id', '=', methodId)
    .where('state', 'in', ['succeeded', 'declined'])
    .orderBy('ended_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
}

/** Its bills of usage that are not paid, to be selected from. */
function usageBills(userid: string) {
  return sql<{ state: string; total: number; tries: number; credited: number; held: number; is_under_way: boolean }>`(
    select bill.state, bill.total_minor as total, dunnings.tries,
      coalesce((select sum(receivable_minor) from credit_notes where invoice_id = bill.id), 0) as credited,
      coalesce(try.promo_minor + try.balance_minor, 0) as held,
      coalesce(try.state <> 'needs_action' and (try.state <> 'created' or try.method_id is not null), false) as is_under_way
    from invoices bill join dunnings on dunnings.invoice_id = bill.id
      left join payments try on try.invoice_id = bill.id and try.state not in ('succeeded', 'declined', 'canceled')
    where bill.userid = ${userid} and bill.kind = 'usage' and bill.state in ('open', 'uncollectible'))`
}
