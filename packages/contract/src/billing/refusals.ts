/** What a call about money may be refused for. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const billingRefusals = {
  offeringNotSold: {
    code: codes.badParameter,
    field: 'offering',
    'en-US': 'The size {offering} is not sold here. Reload the page and choose another one.',
    'zh-CN': '这里不提供规格 {offering}，请刷新页面后另选。',
  },
  couponUnknown: {
    code: codes.badParameter,
    field: 'code',
    'en-US': 'There is no coupon {code}. Check how it is spelled.',
    'zh-CN': '没有优惠码 {code}，请检查输入是否有误。',
  },
  couponExpired: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} could be redeemed until {day}.',
    'zh-CN': '优惠码 {code} 的兑换截止日期是 {day}。',
  },
  couponExhausted: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} has been redeemed as often as it can be.',
    'zh-CN': '优惠码 {code} 的兑换次数已用完。',
  },
  couponRedeemed: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'You have redeemed the coupon {code} already.',
    'zh-CN': '你已经兑换过优惠码 {code}。',
  },
  couponOtherCurrency: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} takes nothing from what you pay: it is for another currency.',
    'zh-CN': '优惠码 {code} 适用于其他币种，无法减免你的费用。',
  },
} as const satisfies Refusals
