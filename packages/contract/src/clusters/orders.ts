/** Prices of instances, what an order of them answers of its money, and the orders of a cluster that wait for it. */
import { z } from 'zod'
import { Currency, InstanceId, IsoTime } from '../wire/fields.ts'

/** The price of a size, or the price that an instance was sold for. Minor units. */
export const MonthlyPrice = z.object({ amount: z.int(), currency: Currency, interval: z.literal('month') })
export type MonthlyPrice = z.infer<typeof MonthlyPrice>

export const OrderOutcome = z.object({
  /** Left out where everything is free. */
  invoiceId: z.string().optional(),
  /** Minor units. */
  amount: z.int(),
  paid: z.boolean(),
  /** A card is being charged; the invoice shows how that ended. */
  pending: z.boolean().optional(),
  /** Where the customer approves the payment. */
  actionUrl: z.string().optional(),
})
export type OrderOutcome = z.infer<typeof OrderOutcome>

/** The bill that a cluster which waits to be destroyed stands on. Times are on the account's clock. */
export const OverdueBill = z.object({
  invoiceId: z.string(),
  /** The unpaid part of it, minor units. */
  amount: z.int(),
  currency: Currency,
  /** When it was issued, when it stopped the cluster, and when it has it destroyed. */
  dueAt: IsoTime,
  stoppedAt: IsoTime,
  destroyAt: IsoTime,
})
export type OverdueBill = z.infer<typeof OverdueBill>

/** An order that waits to be paid. */
export const UnpaidOrder = z.object({
  invoiceId: z.string(),
  subscriptionId: z.string(),
  /** The master's, or those of workers that were ordered together. */
  instanceIds: z.array(InstanceId),
  /** Minor units. */
  amount: z.int(),
  currency: Currency,
  /** Until when it can be paid; then it is canceled. */
  validUntil: IsoTime,
})
export type UnpaidOrder = z.infer<typeof UnpaidOrder>
