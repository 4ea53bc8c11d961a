import type { Coupon } from '@atoll/contract/billing'
import { dayInZone } from '@atoll/money'
import type { Caller } from '../../../../platform/caller.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { once } from '../../../../platform/requests/index.ts'
import { type Accounts, accountNow, type Limits } from '../../../accounts/index.ts'
import { recordAudit } from '../../../audit/index.ts'
import type { CatalogCoupon, LiveCatalog } from '../../../catalog/index.ts'
import { hasCard, isUsedWithCard } from '../../records/coupon-cards.ts'
import {
  countRedemption,
  hasRedeemed,
  insertRedemption,
  isExhausted,
  type Redemption,
} from '../../records/coupon-store.ts'
import { couponJson } from './coupon-json.ts'

export interface CouponDeps {
  db: Db
  clock: Clock
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'lockLimits'>
}

/**
 * Redeems a coupon of the catalogue for the caller's account: counted against its limit, once for an account, and kept
 * as it says today. Its invoices use it from then on.
 */
export async function redeemCoupon(
  deps: CouponDeps,
  caller: Caller,
  request: { code: string; requestId?: string | undefined },
): Promise<{ coupon: Coupon }> {
  const { userid } = caller
  return await once(deps, { owner: userid, call: 'couponRedeem', body: request }, async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, userid)
    const redemption = await takeCoupon(deps, trx, { userid, code: request.code, limits })
    const { code } = redemption.coupon
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

export interface CouponRequest {
  userid: string
  /** As it was typed. */
  code: string
  limits: Limits
}

/** Redeems a coupon: counted, and the account's from now on. Refuses one that cannot be. Under the account's lock. */
export async function takeCoupon(
  deps: Pick<CouponDeps, 'catalog' | 'clock'>,
  trx: Trx,
  request: CouponRequest,
): Promise<Redemption> {
  const redemption = await requireRedeemable(deps, trx, request)
  const { code } = redemption.coupon
  if (!(await countRedemption(trx, redemption.coupon))) refuse('couponExhausted', { code })
  await insertRedemption(trx, request.userid, redemption)
  return redemption
}

/** The redemption that the account would get now; refuses a coupon that cannot be redeemed. */
export async function requireRedeemable(
  { catalog, clock }: Pick<CouponDeps, 'catalog' | 'clock'>,
  db: Db,
  { userid, code: typed, limits }: CouponRequest,
): Promise<Redemption> {
  const code = typed.toUpperCase()
  const coupon = catalog.current().coupons.find((candidate) => candidate.code === code)
  if (!coupon) return refuse('couponUnknown', { code })
  const redemption = redemptionOf(coupon, limits, accountNow(limits, clock.now()))
  if (await hasRedeemed(db, userid, code)) refuse('couponRedeemed', { code })
  if (await isExhausted(db, coupon)) refuse('couponExhausted', { code })
  if (coupon.duration !== 'forever' && (await isUsedWithCard(db, { userid, code }))) refuse('couponCardUsed', { code })
  return { ...redemption, hasCard: await hasCard(db, userid) }
}

/** Refuses a coupon whose last day is over in the account's zone, and one that takes nothing in its currency. */
function redemptionOf(coupon: CatalogCoupon, { currency, zone }: Limits, now: Date): Redemption {
  const { code, redeemBy, amountOff } = coupon
  if (redeemBy !== undefined && dayInZone(now, zone) > redeemBy) refuse('couponExpired', { code, day: redeemBy })
  if (amountOff && amountOff[currency] === undefined) refuse('couponOtherCurrency', { code })
  return { coupon, redeemedAt: now }
}
