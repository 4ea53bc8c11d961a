import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { mailDestroyed } from '../mails/mail-hooks.ts'
import { endPlan } from '../pay/begin-plans.ts'
import { refund } from '../pay/bills/refund.ts'
import { cancelPayment, endAsked, isUnderWay } from '../pay/cancel-open-payment.ts'
import { wakeClustersOf } from '../pay/wake-clusters.ts'
import { writeOff } from '../pay/write-off.ts'
import type { InvoiceRow, PaymentRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { getSubscription, listItems } from '../records/documents/subscription-store.ts'
import { isHeldUp } from '../records/held-bills.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import type { RenewalDeps } from './renewal-deps.ts'

/**
 * Runs when the grace period is over: the subscriptions of clusters on the invoice end, and the clusters are woken to
 * be destroyed; a plan on it falls to Free. Unused time comes off the invoice; the rest is written off, and may still
 * be paid. If a card may have paid it, or another invoice for the same subscriptions, this waits for that payment.
 */
export async function runGraceOver(
  deps: RenewalDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open') return 'done'
  if (await isHeldUp(trx, invoice)) return 'waiting'
  const payment = await findOpenPayment(trx, invoiceId)
  if (payment && isUnderWay(payment)) {
    await endAsked(trx, payment, at)
    return 'waiting'
  }
  if (payment) await cancelPayment(trx, payment, { at, because: 'another' })
  const items = await listItems(trx, { invoiceId })
  const overdue = new Set(items.filter(({ state }) => state === 'past_due').map((item) => item.subscription_id))
  const other = (await listOpenPayments(trx, [...overdue])).find(isUnderWay)
  if (other) {
    await endAsked(trx, other, at)
    return 'waiting'
  }
  for (const id of overdue) await endSold(deps, trx, { invoice, subscription: await getSubscription(trx, id), at })
  const owed = await getInvoice(trx, userid, invoiceId)
  const amount = await writeOff(trx, owed, at)
  await mailDestroyed(deps, trx, { invoice: owed, ...(amount && { due: amount }) })
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoiceId })
  return 'done'
}

/**
 * The payments under way of other invoices for what ends: what a card pays by one of them would be for nothing, as only
 * what was paid by then is given back.
 */
async function listOpenPayments(trx: Trx, subscriptions: readonly string[]): Promise<PaymentRow[]> {
  if (subscriptions.length === 0) return []
  const standing = trx
    .selectFrom('invoice_items')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .select('invoice_items.invoice_id')
    .where('subscription_id', 'in', subscriptions)
  return await trx
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .selectAll('payments')
    .where('invoices.id', 'in', standing)
    .where('invoices.state', '=', 'open')
    .where('payments.state', 'not in', ['succeeded', 'declined', 'canceled'])
    .orderBy('invoices.id')
    .execute()
}

/**
 * Goes whole: what was paid beyond the invoice for one of a cluster's instances, or for a plan that owes usage, goes
 * back.
 */
async function endSold(
  deps: RenewalDeps,
  trx: Trx,
  { invoice, subscription, at }: { invoice: InvoiceRow; subscription: SubscriptionRow; at: Date },
): Promise<void> {
  const { userid } = invoice
  const { id, cluster_id: clusterId } = subscription
  if (clusterId === null) {
    await refund(deps, trx, { userid, instances: [], plan: id, at })
    await endPlan(deps, trx, subscription, at)
    return await recordAudit(trx, {
      ...({ actor: 'system', ip: null, action: 'plan.fall' } as const),
      object: { kind: 'plan', id: userid, owner: userid },
    })
  }
  const sold = await trx
    .selectFrom('subscription_items')
    .select('instance_id')
    .where('subscription_id', '=', id)
    .where('instance_id', 'is not', null)
    .$narrowType<{ instance_id: string }>()
    .execute()
  const known = (await deps.listOwnInstances(trx, userid, clusterId)) ?? []
  const hasRun = new Map(known.map((one) => [one.instanceId, one.hasRun]))
  const instances = sold.map(({ instance_id: instanceId }) => ({
    instanceId,
    hasRun: hasRun.get(instanceId) ?? true,
  }))
  await refund(deps, trx, { userid, instances, at })
}
