/**
 * Changes of a payment that we did not ask for: refunds made in the gateway's dashboard, refunds that fail later, and
 * disputes. Read in full for one payment; listed to find those whose webhook was missed.
 */
import type { Money } from '@atoll/money'
import type { Unknown } from './unknown-answer.ts'

/** `done`: on its way to the card or there. `failed`: it came back, be it weeks after it was done. */
export type MovedRefundState = 'pending' | 'done' | 'failed'

export interface MovedRefund {
  /** The gateway's ref of the payment of which it returns a part. */
  paymentRef: string
  ref: string
  /** Our own id; null: it was made in the gateway's dashboard. */
  refundId: string | null
  amount: Money
  state: MovedRefundState
}

/** `inquiry`: the bank only asks, and nothing was withdrawn. `closed`: an inquiry that came to nothing. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost' | 'closed'

export interface MovedDispute {
  paymentRef: string
  ref: string
  /** Of what the customer disputes. */
  amount: Money
  /** Withdrawn of it and not reinstated, without the gateway's fees. Zero while the bank only asks. */
  withdrawn: Money
  state: DisputeState
  /** The gateway's word, such as `fraudulent`. */
  reason: string
  /** Until when evidence counts; null: none is asked for. */
  dueBy: Date | null
}

export interface Movements {
  refunds: MovedRefund[]
  disputes: MovedDispute[]
}

export type ReadMovements = ({ kind: 'movements' } & Movements) | Unknown

/** `next`: where the next page begins; null: there is none. */
export type MovementsPage = ({ kind: 'page'; next: string | null } & Movements) | Unknown
