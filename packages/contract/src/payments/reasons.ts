/** Why a card was not charged, or a refund not made: what each gateway's own codes become (modules/payments). */
import { z } from 'zod'
import type { Reasons } from '../wire/reasons.ts'
import { words } from '../wire/words.ts'

export const paymentsReasons = {
  cardDeclined: words(
    'The bank declined the card without saying why. Use another card, or ask the bank.',
    '银行拒绝了这张卡，且未说明原因。请换一张卡，或咨询发卡银行。',
  ),
  cardFundsLacking: words(
    'The card does not have enough funds. Use another card, or retry once it has.',
    '卡内余额不足。请换一张卡，或存入资金后重试。',
  ),
  cardExpired: words('The card has expired. Use another card.', '这张卡已过期，请换一张卡。'),
  cardNumberWrong: words('The card number is wrong. Add the card again.', '卡号有误，请重新添加这张卡。'),
  cardCodeWrong: words(
    'The security code of the card is wrong. Add the card again.',
    '卡的安全码有误，请重新添加这张卡。',
  ),
  cardBlocked: words(
    'The bank has blocked this card. Use another card, or ask the bank.',
    '银行已冻结这张卡。请换一张卡，或咨询发卡银行。',
  ),
  cardLimitReached: words(
    'The limit of the card is reached. Use another card, or ask the bank to raise it.',
    '已达到卡的限额。请换一张卡，或请银行提高限额。',
  ),
  cardCurrencyRefused: words(
    'The card does not pay in this currency. Use another card.',
    '这张卡不支持该币种，请换一张卡。',
  ),
  cardGone: words('The card was removed. Use another card.', '这张卡已被移除，请换一张卡。'),
  cardDisputed: words(
    'You dispute a payment of this card with its bank, so the card is not charged. Use another card.',
    '你已就这张卡的一笔付款向银行提出争议，因此不再从该卡扣款。请换一张卡。',
  ),
  cardUnconfirmed: words(
    'The bank asks you to confirm this payment yourself. Pay again and confirm it.',
    '银行要求由你本人确认这笔付款。请重新付款并确认。',
  ),
  cardConfirmationFailed: words(
    'You did not confirm this payment with the bank. Pay again, or use another card.',
    '这笔付款未通过银行验证。请重新付款，或换一张卡。',
  ),
  bankUnreachable: words(
    'The bank did not answer. Nothing was charged; retry later.',
    '银行没有答复，未扣款，请稍后重试。',
  ),
  paymentRefused: words(
    'The payment service refused the request. Nothing was charged; contact the operator.',
    '支付服务拒绝了请求，未扣款，请联系运营方。',
  ),
  refundTooLarge: words('The refund is more than what is left of the payment.', '退款金额超过了这笔付款的剩余金额。'),
  refundRefused: words('The bank did not accept the refund.', '银行没有接受这笔退款。'),
} as const satisfies Reasons

/** As it is stored with a payment that was declined; `reasonText` words it. */
export type DeclineCode = keyof typeof paymentsReasons
export const declineCodes = Object.keys(paymentsReasons) as [DeclineCode, ...DeclineCode[]]
export const DeclineCode = z.enum(declineCodes)
