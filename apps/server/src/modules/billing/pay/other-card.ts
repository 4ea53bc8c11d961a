import type { DeclineCode } from '@atoll/contract/payments'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { listCards, type PaymentGateway } from '../../payments/index.ts'
import { usedWithCardOf } from '../records/coupon-cards.ts'
import { isCardDisputed, listDisputedCards } from '../records/dispute-store.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import type { Method } from './begin-payment.ts'

/** Declines after which the same card never pays again. */
const dead: readonly DeclineCode[] = [
  'cardExpired',
  'cardNumberWrong',
  'cardBlocked',
  'cardCurrencyRefused',
  'cardGone',
]

/** Whether the newest charge of an account's card ended so that it never pays again. */
async function isDead(db: Db, userid: string, methodId: string): Promise<boolean> {
  return isDeadBy((await newestDecline(db, userid, methodId).executeTakeFirst())?.decline_code)
}

function isDeadBy(code: string | null | undefined): boolean {
  return dead.some((one) => one === code)
}

/** The query of how the newest charge of a card was declined; null: it was not. */
function newestDecline(db: Db, userid: string, methodId: string) {
  return db
    .selectFrom('payments')
    .select('decline_code')
    .where('userid', '=', userid)
    .where('method_id', '=', methodId)
    .where('state', 'in', ['succeeded', 'declined'])
    .orderBy('ended_at', 'desc')
    .limit(1)
}

/** A card that a bill would be charged to. */
export interface BillCard {
  method: Method
  /** It is not charged: it never pays again, or what it paid is disputed. */
  isDead: boolean
  /** Another account used the bill's coupon with it. */
  isCouponUsed: boolean
}

export async function loadBillCard(
  db: Db,
  { userid, coupon }: Pick<InvoiceRow, 'userid' | 'coupon'>,
  method: Method,
): Promise<BillCard> {
  const { code, disputed, used } = await db
    .selectNoFrom([
      newestDecline(db, userid, method.id).as('code'),
      sql<boolean>`${isCardDisputed(sql<string>`${method.id}`)}`.as('disputed'),
      (coupon === null ? sql<boolean>`false` : usedWithCardOf({ userid, code: coupon, cardId: method.id })).as('used'),
    ])
    .executeTakeFirstOrThrow()
  return { method, isDead: disputed || isDeadBy(code), isCouponUsed: used }
}

/**
 * When the newest charge of each card of an account was declined; a card whose newest one was paid is not among them.
 */
export async function listDeclines(db: Db, userid: string): Promise<Map<string, Date>> {
  const newest = await db
    .selectFrom('payments')
    .select(['method_id', 'state', 'ended_at'])
    .distinctOn('method_id')
    .where('userid', '=', userid)
    .where('method_id', 'is not', null)
    .where('state', 'in', ['succeeded', 'declined'])
    .orderBy('method_id')
    .orderBy('ended_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  const declines = new Map<string, Date>()
  for (const { method_id, state, ended_at } of newest) {
    if (state === 'declined' && method_id !== null && ended_at !== null) declines.set(method_id, ended_at)
  }
  return declines
}

/**
 * The card to charge where the account prefers `preferred`: that, or while its payment is disputed the newest other
 * card on file that may be charged. Null where there is none.
 */
export async function findUndisputed(
  { gateway }: { gateway: Pick<PaymentGateway, 'name'> },
  db: Db,
  userid: string,
  preferred: Method | null,
): Promise<Method | null> {
  if (!preferred || !(await listDisputedCards(db, [preferred.id])).has(preferred.id)) return preferred
  const cards = await listCards(db, userid, gateway.name)
  const disputed = await listDisputedCards(
    db,
    cards.map(({ id }) => id),
  )
  for (const { id, gateway: name } of cards) {
    if (!disputed.has(id) && !(await isDead(db, userid, id))) return { id, gateway: name }
  }
  return null
}
