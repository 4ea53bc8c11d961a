/** Refusals of calls about money. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const billingRefusals = {
  offeringNotSold: { code: codes.badParameter, field: 'offering' },
  invoiceClosed: { code: codes.conflict },
  cardNeeded: { code: codes.conflict },
  paymentUnderWay: { code: codes.conflict },
  estimateChanged: { code: codes.conflict },
  lineWithoutUsage: { code: codes.badParameter, field: 'line' },
  planNotSold: { code: codes.badParameter },
  planWaits: { code: codes.conflict },
  travelOff: { code: codes.conflict },
  travelNotForward: { code: codes.badParameter, field: 'to' },
  travelTooFar: { code: codes.badParameter, field: 'to' },
  accountPastDue: { code: codes.conflict },
  paymentDisputed: { code: codes.conflict },
  cardUnknown: { code: codes.notFound, field: 'methodId' },
  cardDisputed: { code: codes.conflict, field: 'methodId' },
  planPastDue: { code: codes.conflict },
  capBelowUsage: { code: codes.conflict, field: 'amount' },
  couponGone: { code: codes.conflict, field: 'couponCode' },
  couponUnknown: { code: codes.badParameter, field: 'code' },
  couponExpired: { code: codes.conflict, field: 'code' },
  couponExhausted: { code: codes.conflict, field: 'code' },
  couponCardUsed: { code: codes.conflict, field: 'code' },
  couponNeedsCard: { code: codes.conflict, field: 'couponCode' },
  couponRedeemed: { code: codes.conflict, field: 'code' },
  couponOtherCurrency: { code: codes.conflict, field: 'code' },
} as const satisfies Refusals
