/** Why a card was not charged, or a refund not made: what each gateway's own codes become (modules/payments). */
import { z } from 'zod'
import type { Reasons } from '../wire/reasons.ts'

export const paymentsReasons = {
  cardDeclined: {
    'en-US': 'The bank declined the card without saying why. Use another card, or ask the bank.',
    'zh-CN': '银行拒绝了这张卡，且未说明原因。请换一张卡，或咨询发卡银行。',
  },
  cardFundsLacking: {
    'en-US': 'The card does not have enough funds. Use another card, or retry once it has.',
    'zh-CN': '卡内余额不足。请换一张卡，或存入资金后重试。',
  },
  cardExpired: { 'en-US': 'The card has expired. Use another card.', 'zh-CN': '这张卡已过期，请换一张卡。' },
  cardNumberWrong: {
    'en-US': 'The card number is wrong. Add the card again.',
    'zh-CN': '卡号有误，请重新添加这张卡。',
  },
  cardCodeWrong: {
    'en-US': 'The security code of the card is wrong. Add the card again.',
    'zh-CN': '卡的安全码有误，请重新添加这张卡。',
  },
  cardBlocked: {
    'en-US': 'The bank has blocked this card. Use another card, or ask the bank.',
    'zh-CN': '银行已冻结这张卡。请换一张卡，或咨询发卡银行。',
  },
  cardLimitReached: {
    'en-US': 'The limit of the card is reached. Use another card, or ask the bank to raise it.',
    'zh-CN': '已达到卡的限额。请换一张卡，或请银行提高限额。',
  },
  cardCurrencyRefused: {
    'en-US': 'The card does not pay in this currency. Use another card.',
    'zh-CN': '这张卡不支持该币种，请换一张卡。',
  },
  cardGone: { 'en-US': 'The card was removed. Use another card.', 'zh-CN': '这张卡已被移除，请换一张卡。' },
  cardUnconfirmed: {
    'en-US': 'The bank asks you to confirm this payment yourself. Pay again and confirm it.',
    'zh-CN': '银行要求由你本人确认这笔付款。请重新付款并确认。',
  },
  cardConfirmationFailed: {
    'en-US': 'You did not confirm this payment with the bank. Pay again, or use another card.',
    'zh-CN': '这笔付款未通过银行验证。请重新付款，或换一张卡。',
  },
  bankUnreachable: {
    'en-US': 'The bank did not answer. Nothing was charged; retry later.',
    'zh-CN': '银行没有答复，未扣款，请稍后重试。',
  },
  paymentRefused: {
    'en-US': 'The payment service refused the request. Nothing was charged; contact the operator.',
    'zh-CN': '支付服务拒绝了请求，未扣款，请联系运营方。',
  },
  refundTooLarge: {
    'en-US': 'The refund is more than what is left of the payment.',
    'zh-CN': '退款金额超过了这笔付款的剩余金额。',
  },
  refundRefused: {
    'en-US': 'The bank did not accept the refund.',
    'zh-CN': '银行没有接受这笔退款。',
  },
} as const satisfies Reasons

/** As it is stored with a payment that was declined; `reasonText` words it. */
export type DeclineCode = keyof typeof paymentsReasons
export const declineCodes = Object.keys(paymentsReasons) as [DeclineCode, ...DeclineCode[]]
export const DeclineCode = z.enum(declineCodes)
