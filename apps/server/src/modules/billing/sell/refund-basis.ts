import type { Db } from '../../../platform/db/index.ts'
import { listRefundable, type RefundOrder } from '../pay/credit/refundable-lines.ts'
import { listItems } from '../records/documents/subscription-store.ts'
import { basisOf } from './refund-token.ts'

/**
 * The facts that the refund for ending the instances depends on: their items, whether they ran, and the invoices that
 * charged them.
 */
export async function findRefundBasis(db: Db, order: RefundOrder): Promise<string> {
  const { instances } = order
  const hasRun = new Map(instances.map((one) => [one.instanceId, one.hasRun]))
  const items = await listItems(db, { instanceIds: [...hasRun.keys()] })
  const found = await listRefundable(db, order)
  return basisOf([
    ...items.map(({ id, price_id, state, instance_id }) => [
      id,
      price_id,
      state,
      hasRun.get(instance_id ?? '') ?? true,
    ]),
    ...found.flatMap(({ invoice, lines, refundable }) =>
      lines.map(({ line }, index) => [invoice.id, line, invoice.state, refundable[index]?.credited.minor ?? 0]),
    ),
  ])
}
