import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { mailDestroyed } from '../mails/mail-hooks.ts'
import { endPlan } from '../pay/begin-plans.ts'
import { loadBill } from '../pay/bills/load-bill.ts'
import { refund } from '../pay/bills/refund.ts'
import { cancelPayment, endAsked } from '../pay/cancel-open-payment.ts'
import { wakeClustersOf } from '../pay/wake-clusters.ts'
import { writeOff } from '../pay/write-off.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { listItems } from '../records/documents/subscription-store.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { decideGiveUp, type Ending } from './decide-give-up.ts'
import type { RenewalDeps } from './renewal-deps.ts'

/**
 * Runs when the grace period is over: the subscriptions of clusters on the invoice end, and the clusters are woken to
 * be destroyed; a plan on it falls to Free. Unused time comes off the invoice; the rest is written off, and may still
 * be paid. If a card may have paid it, or another invoice for the same subscriptions, this waits for that payment.
 */
export async function runGraceOver(
  deps: RenewalDeps,
  trx: Trx,
  { userid, object: invoiceId, at, limits: { currency } }: Due,
): Promise<DueOutcome> {
  const bill = await loadBill(trx, { userid, currency, at }, invoiceId)
  const standing = await loadStanding(trx, invoiceId)
  const step = decideGiveUp(bill, standing)
  if (step.does === 'nothing') return 'done'
  if (step.does === 'wait') {
    if (step.payment) await endAsked(trx, step.payment, at)
    return 'waiting'
  }
  if (bill.open) await cancelPayment(trx, bill.open, { at, because: 'another' })
  for (const ending of step.ends) await endSold(deps, trx, { userid, ending, at })
  // Unused time of all that ended comes off the bill, which may be paid by that.
  const invoice = step.ends.length === 0 ? bill.invoice : await getInvoice(trx, userid, invoiceId)
  const due = await writeOff(trx, invoice, at)
  await mailDestroyed(deps, trx, { invoice, ...(due && { due }) })
  await wakeClustersOf(deps, trx, standing.items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoiceId })
  return 'done'
}

/** The items of a bill, all of the subscriptions past due on it, and open payments of other bills for these. */
async function loadStanding(trx: Trx, invoiceId: string) {
  const items = await listItems(trx, { invoiceId })
  const overdue = items.filter(({ state }) => state === 'past_due').map((item) => item.subscription_id)
  const subscriptionIds = [...new Set(overdue)]
  const others = (await listOpenPayments(trx, subscriptionIds)).filter((one) => one.invoice_id !== invoiceId)
  return { items, siblings: await listItems(trx, { subscriptionIds }), others }
}

/** The open payments of open bills for these subscriptions. */
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

/** Gives back all that was paid beyond the bill for a cluster's instances, or for a plan that owes usage. */
async function endSold(
  deps: RenewalDeps,
  trx: Trx,
  { userid, ending, at }: { userid: string; ending: Ending; at: Date },
): Promise<void> {
  const { subscriptionId: id, clusterId, instanceIds } = ending
  if (clusterId === null) {
    await refund(deps, trx, { userid, instances: [], plan: id, at })
    await endPlan(deps, trx, { id, userid }, at)
    return await recordAudit(trx, {
      ...({ actor: 'system', ip: null, action: 'plan.fall' } as const),
      object: { kind: 'plan', id: userid, owner: userid },
    })
  }
  const known = (await deps.listOwnInstances(trx, userid, clusterId)) ?? []
  const hasRun = new Map(known.map((one) => [one.instanceId, one.hasRun]))
  const instances = instanceIds.map((instanceId) => ({ instanceId, hasRun: hasRun.get(instanceId) ?? true }))
  await refund(deps, trx, { userid, instances, at })
}
