/** Why a card was not charged, or a refund not made: what each gateway's own codes become (modules/payments). */
import { z } from 'zod'

export const paymentsReasons = [
  'cardDeclined',
  'cardFundsLacking',
  'cardExpired',
  'cardNumberWrong',
  'cardCodeWrong',
  'cardBlocked',
  'cardLimitReached',
  'cardCurrencyRefused',
  'cardGone',
  'cardDisputed',
  'cardUnconfirmed',
  'cardConfirmationFailed',
  'bankUnreachable',
  'paymentRefused',
  'refundTooLarge',
  'refundRefused',
] as const

/** As it is stored with a payment that was declined; `reasonText` words it. */
export const declineCodes = paymentsReasons
export type DeclineCode = (typeof declineCodes)[number]
export const DeclineCode = z.enum(declineCodes)
