import type { Coupon } from '@atoll/contract/billing'
import { addMonths, dayInZone } from '@atoll/money'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import type { Accounts, Limits } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { CatalogCoupon, LiveCatalog } from '../../catalog/index.ts'
import { countRedemption, hasRedeemed, insertRedemption, type Redemption } from './coupon-store.ts'

export interface CouponDeps {
  db: Db
  clock: Clock
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'lockLimits'>
}

/**
 * Redeems a coupon of the catalogue for the caller's account: counted against its limit, once for an account, and kept as
 * it says today. Its invoices use it from then on.
 */
export async function redeemCoupon(
  deps: CouponDeps,
  caller: Caller,
  request: { code: string; requestId?: string | undefined },
): Promise<{ coupon: Coupon }> {
  const { userid } = caller
  return await once(deps, { owner: userid, call: 'couponRedeem', body: request }, async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, userid)
    const code = request.code.toUpperCase()
    const coupon = deps.catalog.current().coupons.find((candidate) => candidate.code === code)
    if (!coupon) return refuse('couponUnknown', { code })
    const redemption = redemptionOf(coupon, limits, deps.clock.now())
    if (await hasRedeemed(trx, userid, code)) refuse('couponRedeemed', { code })
    if (!(await countRedemption(trx, coupon))) refuse('couponExhausted', { code })
    await insertRedemption(trx, userid, redemption)
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'coupon.redeem',
      object: { kind: 'coupon', id: code, owner: userid, name: code },
    })
    await publishChange(trx, { account: userid, topic: 'billing', id: userid })
    return { coupon: couponJson(redemption) }
  })
}

/** Refuses a coupon whose last day is over in the account's zone, and one that takes nothing in its currency. */
function redemptionOf(coupon: CatalogCoupon, { currency, zone }: Limits, now: Date): Redemption {
  const { code, redeemBy, amountOff, months } = coupon
  if (redeemBy !== undefined && dayInZone(now, zone) > redeemBy) refuse('couponExpired', { code, day: redeemBy })
  if (amountOff && amountOff[currency] === undefined) refuse('couponOtherCurrency', { code })
  return { coupon, redeemedAt: now, endsAt: months === undefined ? null : addMonths(now, months, zone) }
}

function couponJson({ coupon, endsAt }: Redemption): Coupon {
  return { ...coupon, ...(endsAt && { endsAt: endsAt.toISOString() }) }
}
