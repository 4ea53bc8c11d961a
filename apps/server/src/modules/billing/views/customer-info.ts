import type { CustomerInfo } from '@atoll/contract/billing'
import type { Currency, Zone } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { accountNow, moneyFactsOf } from '../../accounts/index.ts'
import { Coupon, termsOf } from '../../catalog/index.ts'
import { balances } from '../../ledger/index.ts'
import { defaultCardOf } from '../../payments/index.ts'
import { mayGoOn } from '../pricing/coupons/coupon-facts.ts'
import { couponJson } from '../pricing/coupons/coupon-json.ts'
import { couponUse, type UseRow, usesOf } from '../records/coupon-uses.ts'
import { dueMinor } from '../records/documents/invoice-due.ts'
import type { ReadDeps } from './read-deps.ts'

interface CustomerRow {
  currency: Currency
  zone: Zone
  clockOffsetMs: number
  cash: number
  /** Null where nothing is disputed. */
  disputed: number | null
  promo: number
  card: CustomerInfo['defaultPayMethod']
  isOverdue: boolean
  /** The cap set last (null: none), or the plan's default if the account never set one. */
  spendCap: number | null
  /** Times as PostgreSQL writes them into JSON. */
  open: (Omit<NonNullable<CustomerInfo['openInvoice']>, 'validUntil'> & { validUntil: string | null }) | null
  coupons: { terms: string; uses: UseRow[] }[] | null
  travel: CustomerInfo['travel'] | null
}

/** The account's currency, balance and debt, in one round trip, because every page asks for it. */
export async function getCustomerInfo({ db, clock, gateway }: ReadDeps, userid: string): Promise<CustomerInfo> {
  const wall = clock.now()
  const row = await readCustomer(db, { userid, wall, gateway: gateway.name })
  if (!row) return refuse('notFound', { object: 'account' })
  const { spendCap, cash, disputed, currency, card, promo, zone, isOverdue, open, coupons, clockOffsetMs, travel } = row
  const coupon = coupons
    ?.map(({ terms, uses }) => ({ coupon: Coupon.parse(JSON.parse(terms)), uses: uses.map(couponUse) }))
    .find((one) => mayGoOn(one, accountNow({ clockOffsetMs }, wall)))
  const isoOf = (time: string) => new Date(time).toISOString()
  return {
    cashBalance: cash,
    currency,
    defaultPayMethod: card,
    ...(disputed !== null && { disputed: { amount: disputed } }),
    promoBalance: promo,
    zone,
    standing: isOverdue ? 'overdue' : open ? 'unpaid' : 'clear',
    ...(open && {
      openInvoice: {
        invoiceId: open.invoiceId,
        number: open.number,
        kind: open.kind,
        amount: open.amount,
        createAt: isoOf(open.createAt),
        ...(open.validUntil !== null && { validUntil: isoOf(open.validUntil) }),
      },
    }),
    ...(coupon && { coupon: couponJson(coupon) }),
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
    select account.currency, account.zone,
      account.clock_offset_ms as "clockOffsetMs",
      coalesce((select balance_minor from ${balances} balance where book = account.userid and balance.account = 'cash'), 0)
        as cash,
      (select sum(withdrawn_minor - lost_minor - lost_cash_minor)::bigint from disputes
        where userid = account.userid and (state = 'open' or withdrawn_minor > lost_minor + lost_cash_minor)) as disputed,
      (select coalesce(sum(left_minor), 0)::bigint from promo_grants where userid = account.userid and left_minor > 0
        and currency = account.currency and (expires_at is null or expires_at > ${now})) as promo,
      (select amount_minor from (
          select 1 as place, amount_minor, set_at from spend_caps where userid = account.userid and set_at <= ${now}
          union all
          select 2, (${termsOf(sql.ref('item.price_id'))}::json ->> 'spendCap')::bigint, item.created_at
            from subscription_items item join subscriptions on subscriptions.id = item.subscription_id
          where item.userid = account.userid and subscriptions.kind = 'plan' and item.state in ('active', 'past_due')
        ) as caps order by place, set_at desc limit 1) as "spendCap",
      ${defaultCardOf(sql.ref('account.userid'), gateway)} as card,
      exists (select from dunnings join invoices on invoices.id = dunnings.invoice_id
        where dunnings.userid = account.userid and past_due_at is not null
          and invoices.state in ('open', 'uncollectible')) as "isOverdue",
      (select json_build_object('invoiceId', id, 'number', number, 'kind', kind, 'amount', ${dueMinor},
          'createAt', issued_at, 'validUntil', case when reopened = 0 then valid_until end)
        from invoices where userid = account.userid and state in ('open', 'uncollectible')
        order by state = 'open', case when reopened = 0 then valid_until end nulls first, issued_at, number limit 1) as open,
      (select json_agg(json_build_object('terms', terms, 'uses', ${usesOf()}) order by redeemed_at desc, code)
        from coupon_redemptions redemption where userid = account.userid) as coupons,
      (select json_build_object('to', target, 'stoppedBefore', threatened) from (
          select target, stopped_before, coalesce((select json_agg(json_build_object('clusterId', id, 'name', name)
              order by id) from owned_clusters owned where id = any(stopped_before) and exists (select from subscription_items item
              join subscriptions on subscriptions.id = item.subscription_id
              where subscriptions.cluster_id = owned.id and item.state = 'past_due')), '[]') as threatened
            from travels where userid = account.userid) as travelled
        where stopped_before is null or json_array_length(threatened) > 0) as travel
    from ${moneyFactsOf(userid)} account`.execute(db)
  return rows[0]
}
