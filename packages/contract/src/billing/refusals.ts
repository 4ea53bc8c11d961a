/** What a call about money may be refused for. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const billingRefusals = {
  offeringNotSold: {
    code: codes.badParameter,
    field: 'offering',
    'en-US': 'The size {offering} is not sold here. Reload the page and choose another one.',
    'zh-CN': '这里不提供规格 {offering}，请刷新页面后另选。',
  },
  invoiceClosed: {
    code: codes.conflict,
    'en-US': 'The invoice {number} can no longer be paid: its order was canceled.',
    'zh-CN': '账单 {number} 已无法支付：对应的订单已取消。',
  },
  cardNeeded: {
    code: codes.conflict,
    'en-US': 'Your balance does not cover this, and there is no card to charge. Add a card, then pay again.',
    'zh-CN': '余额不足，且没有可扣款的银行卡。请添加银行卡后重新支付。',
  },
  paymentUnderWay: {
    code: codes.conflict,
    'en-US': 'A payment for it was under way and is being canceled. Try again in a moment.',
    'zh-CN': '与它相关的一笔付款正在取消，请稍后再试。',
  },
  estimateChanged: {
    code: codes.conflict,
    'en-US': 'This costs {amount} now. Check the new amount and order again.',
    'zh-CN': '现在的金额为 {amount}，请确认后重新下单。',
  },
  planNotSold: {
    code: codes.badParameter,
    'en-US': 'This plan is not sold here. Reload the page and choose another one.',
    'zh-CN': '这里不提供这个套餐，请刷新页面后另选。',
  },
  planWaits: {
    code: codes.conflict,
    'en-US': 'The change to {plan} waits for its payment. Pay it or take it back first.',
    'zh-CN': '更换为 {plan} 的费用尚未支付，请先支付或撤销。',
  },
  travelOff: {
    code: codes.conflict,
    'en-US': 'Clocks move only where payments are a test.',
    'zh-CN': '仅在测试支付环境中可以调整时钟。',
  },
  travelNotForward: {
    code: codes.badParameter,
    field: 'to',
    'en-US': 'Your clock only moves forward. Choose a later time.',
    'zh-CN': '时钟只能向前调整，请选择更晚的时间。',
  },
  travelTooFar: {
    code: codes.badParameter,
    field: 'to',
    'en-US': 'Your clock moves at most {months} months at a time. Choose an earlier time.',
    'zh-CN': '时钟一次最多向前调整 {months} 个月，请选择更早的时间。',
  },
  accountPastDue: {
    code: codes.conflict,
    'en-US': 'A bill is past due. Pay it first, then you can create again.',
    'zh-CN': '你有账单逾期未付，请先付清，之后即可继续创建。',
  },
  planPastDue: {
    code: codes.conflict,
    'en-US': 'Your plan has not been paid. Pay the open bill first.',
    'zh-CN': '当前套餐尚有账单未付，请先付清。',
  },
  capBelowUsage: {
    code: codes.conflict,
    field: 'amount',
    'en-US': 'Usage of this period costs {amount} already. The cap cannot be lower.',
    'zh-CN': '本期用量已产生 {amount} 的费用，上限不能低于此金额。',
  },
  couponGone: {
    code: codes.conflict,
    field: 'couponCode',
    'en-US': 'The coupon {code} can no longer be used. Without it this costs {amount}.',
    'zh-CN': '优惠码 {code} 已不能使用。不使用优惠码的金额为 {amount}。',
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

/** What there may be none of, as `notFound` names it. */
export const billingObjects = {
  subscription: words('subscription', '订阅'),
  invoice: words('invoice', '账单'),
  payment: words('payment', '付款'),
} as const
