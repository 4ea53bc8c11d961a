import type { CustomerInfo } from '@atoll/contract/billing'
import type { Currency, Zone } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { accountNow } from '../../accounts/index.ts'
import { Coupon } from '../../catalog/index.ts'
import { couponJson } from '../coupons/coupon-json.ts'
import { dueMinor } from '../documents/invoice-due.ts'
import type { ReadDeps } from './read-deps.ts'

interface CustomerRow {
  currency: Currency
  zone: Zone
  clockOffsetMs: number
  cash: number
  promo: number
  card: CustomerInfo['defaultPayMethod']
  isOverdue: boolean
  spendCap: number | null
  /** Times as PostgreSQL writes them into JSON. */
  open: (Omit<NonNullable<CustomerInfo['openInvoice']>, 'validUntil'> & { validUntil: string | null }) | null
  coupon: { terms: string; redeemedAt: string; endsAt: string | null } | null
  travel: CustomerInfo['travel'] | null
}

/** What the account pays in, has and owes, in one round trip: every page asks for it. */
export async function getCustomerInfo({ db, clock, gateway }: ReadDeps, userid: string): Promise<CustomerInfo> {
  const wall = clock.now()
  const row = await readCustomer(db, { userid, wall, gateway: gateway.name })
  if (!row) return refuse('notFound', { object: 'account' })
  const { spendCap, cash, currency, card, promo, zone, isOverdue, open, coupon, clockOffsetMs, travel } = row
  const isoOf = (time: string) => new Date(time).toISOString()
  return {
    cashBalance: cash,
    currency,
    defaultPayMethod: card,
    promoBalance: promo,
    zone,
    standing: isOverdue ? 'overdue' : open ? 'unpaid' : 'clear',
    ...(open && {
      openInvoice: {
        ...{ invoiceId: open.invoiceId, number: open.number, kind: open.kind, amount: open.amount },
        createAt: isoOf(open.createAt),
        ...(open.validUntil !== null && { validUntil: isoOf(open.validUntil) }),
      },
    }),
    ...(coupon && {
      coupon: couponJson({
        coupon: Coupon.parse(JSON.parse(coupon.terms)),
        endsAt: coupon.endsAt === null ? null : new Date(coupon.endsAt),
      }),
    }),
    ...(spendCap !== null && { spendCap: { amount: spendCap } }),
    now: accountNow({ clockOffsetMs }, wall).toISOString(),
    clockOffset: clockOffsetMs,
    canTravel: gateway.name === 'sandbox',
    ...(travel && { travel: { ...travel, to: isoOf(travel.to) } }),
  }
}

async function readCustomer(
  db: Db,
  { userid, wall, gateway }: { userid: string; wall: Date; gateway: string },
): Promise<CustomerRow | undefined> {
  const now = sql`(${wall}::timestamptz + account.clock_offset_ms * interval '1 millisecond')`
  const { rows } = await sql<CustomerRow>`
    select coalesce(account.currency, 'usd') as currency, coalesce(account.zone, 'UTC') as zone,
      account.clock_offset_ms as "clockOffsetMs",
      coalesce((select balance_minor from ledger_balances where book = account.userid and account = 'cash'), 0) as cash,
      (select coalesce(sum(left_minor), 0)::bigint from promo_grants where userid = account.userid and left_minor > 0
        and currency = coalesce(account.currency, 'usd') and (expires_at is null or expires_at > ${now})) as promo,
      (select amount_minor from spend_caps where userid = account.userid and set_at <= ${now}
        order by set_at desc limit 1) as "spendCap",
      (select json_build_object('id', id, 'cardBrand', brand, 'cardLast4', last4) from payment_methods
        where userid = account.userid and gateway = ${gateway} and removed_at is null and is_default) as card,
      exists (select from dunnings join invoices on invoices.id = dunnings.invoice_id
        where dunnings.userid = account.userid and past_due_at is not null
          and invoices.state in ('open', 'uncollectible')) as "isOverdue",
      (select json_build_object('invoiceId', id, 'number', number, 'kind', kind, 'amount', ${dueMinor},
          'createAt', issued_at, 'validUntil', valid_until)
        from invoices where userid = account.userid and state in ('open', 'uncollectible')
        order by state = 'open', valid_until nulls first, issued_at, number limit 1) as open,
      (select json_build_object('terms', terms, 'redeemedAt', redeemed_at, 'endsAt', ends_at) from coupon_redemptions
        where userid = account.userid and used_by is null and (ends_at is null or ends_at > ${now})
        order by redeemed_at desc, code limit 1) as coupon,
      (select json_build_object('to', target, 'stoppedBefore', threatened) from (
          select target, stopped_before, coalesce((select json_agg(json_build_object('clusterId', id, 'name', name)
              order by id) from clusters where id = any(stopped_before) and exists (select from subscription_items item
              join subscriptions on subscriptions.id = item.subscription_id
              where subscriptions.cluster_id = clusters.id and item.state = 'past_due')), '[]') as threatened
            from travels where userid = account.userid) as travelled
        where stopped_before is null or json_array_length(threatened) > 0) as travel
    from accounts account where account.userid = ${userid}`.execute(db)
  return rows[0]
}
