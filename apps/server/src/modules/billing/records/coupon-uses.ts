/**
 * How the coupons of an account were used, by its invoices: nothing else is kept of it. An invoice that is void, and a
 * line that was given back whole, as that of what never ran is, used nothing. A line that corrects an earlier period
 * names that period's coupon, which may be another than that of its invoice.
 */
import { type Period, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import { type RawBuilder, sql } from 'kysely'
import { zoneOf } from '../../accounts/index.ts'
import { isEnd, type SubscriptionState, subscriptionTransitions } from './documents/states.ts'

/** A coupon's discount on one line, less the part that was credited. */
export interface CouponUse {
  subscription: string
  /** Whether that subscription has not ended. */
  isLiving: boolean
  /** The whole period of the subscription that the line is of. */
  period: Period
  /** Minor units. */
  minor: number
  anchor: Date
  zone: Zone
}

/** As JSON holds one, in the order of the invoices and their lines. */
export interface UseRow {
  subscription: string
  state: SubscriptionState
  anchor: string
  start: string
  minor: number
  zone: Zone
}

/**
 * In a query over `coupon_redemptions as redemption`: the uses of it as a JSON array. `but`: without those of the
 * invoice of that id, which another takes the place of.
 */
export function usesOf(but: string | null = null): RawBuilder<UseRow[]> {
  return sql<UseRow[]>`(
    select coalesce(json_agg(json_build_object('subscription', sub.id, 'state', sub.state, 'anchor', sub.anchor,
      'start', line.period_start, 'minor', line.discount_minor - back.minor, 'zone', ${zoneOf(sql.ref('invoice.userid'))})
      order by invoice.recorded_at, invoice.number, line.line), '[]')
    from invoices invoice
    join invoice_items line on line.invoice_id = invoice.id and line.discount_minor > 0
    join subscription_items item on item.id = line.item_id
    join subscriptions sub on sub.id = item.subscription_id
    cross join lateral (select coalesce(sum(discount_minor), 0) as minor from credit_note_items
      where credit_note_items.invoice_id = invoice.id and credit_note_items.line = line.line) as back
    where invoice.userid = redemption.userid and invoice.coupon is not null and invoice.state <> 'void'
      and coalesce(line.explain::json -> 'discount' ->> 'code', invoice.coupon) = redemption.code
      and invoice.id is distinct from ${but} and line.discount_minor > back.minor)`
}

export function couponUse({ subscription, state, minor, zone, ...times }: UseRow): CouponUse {
  const anchor = new Date(times.anchor)
  const period = periodAt(anchor, periodIndexAt(anchor, new Date(times.start), zone), zone)
  return { subscription, isLiving: !isEnd(subscriptionTransitions, state), period, minor, anchor, zone }
}

/** Where the months of a coupon end that its first use began to count: n periods of that subscription. */
export function countEnd(
  { anchor, period, zone }: Pick<CouponUse, 'anchor' | 'period' | 'zone'>,
  months: number,
): Date {
  return periodAt(anchor, periodIndexAt(anchor, period.start, zone) + months, zone).start
}
