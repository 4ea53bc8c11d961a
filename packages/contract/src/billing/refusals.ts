/** Refusals of calls about money. */
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
  lineWithoutUsage: {
    code: codes.badParameter,
    field: 'line',
    'en-US': 'Line {line} of the invoice {number} charges no usage.',
    'zh-CN': '账单 {number} 的第 {line} 项不是用量费用。',
  },
  planNotSold: {
    code: codes.badParameter,
    'en-US': 'This plan is not sold here. Reload the page and choose another one.',
    'zh-CN': '这里不提供这个套餐，请刷新页面后另选。',
  },
  planWaits: {
    code: codes.conflict,
    'en-US': 'The change to {plan} is waiting for payment. Pay or cancel it first.',
    'zh-CN': '更换为 {plan} 的费用尚未支付，请先支付或撤销。',
  },
  travelOff: {
    code: codes.conflict,
    'en-US': 'The clock can be moved only with test payments.',
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
  paymentDisputed: {
    code: codes.conflict,
    'en-US': 'You dispute a payment with your bank. Until a decision, you cannot order anything that costs money.',
    'zh-CN': '你已就一笔付款向银行提出争议。在裁定之前，无法订购任何收费项目。',
  },
  cardUnknown: {
    code: codes.notFound,
    field: 'methodId',
    'en-US': 'There is no such card on your account. Choose another one.',
    'zh-CN': '你的账号中没有这张银行卡，请另选一张。',
  },
  cardDisputed: {
    code: codes.conflict,
    field: 'methodId',
    'en-US': 'You dispute a payment of this card with its bank, so the card is not charged. Use another card.',
    'zh-CN': '你已就这张卡的一笔付款向银行提出争议，因此不再从该卡扣款。请换一张卡。',
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
    'en-US': 'There is no coupon {code}. Check the spelling.',
    'zh-CN': '没有优惠码 {code}，请检查输入是否有误。',
  },
  couponExpired: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} expired on {day}.',
    'zh-CN': '优惠码 {code} 的兑换截止日期是 {day}。',
  },
  couponExhausted: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} has been used up.',
    'zh-CN': '优惠码 {code} 的兑换次数已用完。',
  },
  couponCardUsed: {
    code: codes.conflict,
    field: 'code',
    'en-US': 'The coupon {code} is limited to one per card, and another account has used it with this card.',
    'zh-CN': '优惠码 {code} 每张卡限用一次，这张卡已在其他账号中用过。',
  },
  couponNeedsCard: {
    code: codes.conflict,
    field: 'couponCode',
    'en-US':
      'With the coupon {code} there is nothing to pay, so it needs a card on file. Add a card, then order again.',
    'zh-CN': '使用优惠码 {code} 后无需付款，因此需要先绑定银行卡。请添加银行卡后重新下单。',
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
    'en-US': 'The coupon {code} is for another currency and does not reduce your price.',
    'zh-CN': '优惠码 {code} 适用于其他币种，无法减免你的费用。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const billingObjects = {
  subscription: words('subscription', '订阅'),
  invoice: words('invoice', '账单'),
  payment: words('payment', '付款'),
  usagePeriod: words('period', '计费周期'),
} as const
