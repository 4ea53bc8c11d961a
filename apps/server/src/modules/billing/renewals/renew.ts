/**
 * Renewals: what is paid ahead is sold for another month when its period ends, at the price that it was sold at.
 * Whatever ends on the same day of the account's zone is one invoice, at the earliest of these ends, but for a plan
 * that changes with its period; each item's new period begins where its old one ended, however late this runs.
 * Instances that are ordered after that for a cluster whose own period has not ended yet are renewed when it ends, and
 * those that a card is found to have paid for later still, from then on. Collecting it is collect.ts.
 *
 * A subscription whose order may still be paid, or which is past due, or suspended, waits until that is over. So does a
 * plan while a higher one may still be paid: the month is charged at the price of what comes of it. Nobody is charged
 * for time in which a suspension had stopped the servers after what was paid had ended: whole periods of it are passed
 * over, and of the one in which it was released the rest is charged.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { endPlan, lowerPlan } from '../pay/begin-plans.ts'
import { issueInvoice } from '../pay/bills/issue-invoice.ts'
import { nextInvoiceId } from '../records/documents/invoice-store.ts'
import { setPeriods } from '../records/documents/subscription-store.ts'
import { insertDunning } from '../records/dunning-store.ts'
import { dueKinds, renewalMailMs } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { decideRenewal, keyOf, type RenewalStep, type Renewing } from './decide-renewal.ts'
import { loadRenewal } from './load-renewal.ts'

type Renew = Extract<RenewalStep, { does: 'renew' }>

/** Renews a subscription with all that end on the same day. */
export async function runRenewal(deps: OrderDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const step = decideRenewal(await loadRenewal(deps, trx, due), due)
  switch (step.does) {
    case 'nothing':
      return 'done'
    case 'wait':
      return 'waiting'
    case 'again':
      return { next: step.at }
    case 'park':
      return { parked: step.why }
    case 'renew':
      return await renew(deps, trx, due, step)
  }
}

async function renew(deps: OrderDeps, trx: Trx, due: Due, step: Renew): Promise<DueOutcome> {
  const { userid, object, dueAt } = due
  const begun = await lowerPlans(deps, trx, step.renewing)
  if (step.basket.gross.minor > 0) await issueRenewal(deps, trx, due, { ...step, begun })
  const going = step.renewing.filter(({ lower }) => lower !== null)
  await setPeriods(
    trx,
    going.map(({ subscription: { id }, next }) => ({ id, ...next })),
  )
  const dues = going.flatMap(({ subscription: { id, kind }, next }) => {
    const of = { userid, object: id }
    const nextDue = kind === 'cluster' && next.start > dueAt ? next.start : next.end
    const mail = { ...of, kind: dueKinds.renewalMail, dueAt: new Date(next.end.getTime() - renewalMailMs) }
    return [{ ...of, kind: dueKinds.renewal, dueAt: nextDue }, mail]
  })
  await scheduleDue(trx, ...dues)
  const own = going.find((one) => one.subscription.id === object)
  return own ? { next: own.next.end } : 'done'
}

/** Puts plans on the lower one that was asked for, or ends them; the item of each lower one, by its subscription. */
export async function lowerPlans(
  deps: OrderDeps,
  trx: Trx,
  renewing: readonly Renewing[],
): Promise<Map<string, { id: string; price_id: string }>> {
  const begun = new Map<string, { id: string; price_id: string }>()
  for (const { subscription, next, lower } of renewing) {
    if (lower === null) await endPlan(deps, trx, subscription, next.start)
    else if (lower)
      begun.set(subscription.id, await lowerPlan(deps, trx, subscription, { terms: lower, at: next.start }))
  }
  return begun
}

async function issueRenewal(
  deps: OrderDeps,
  trx: Trx,
  { userid, object, at }: Due,
  { items, basket, of, begun }: Renew & { begun: ReadonlyMap<string, { id: string; price_id: string }> },
): Promise<void> {
  const known = new Map(items.map((renewed) => [keyOf(renewed), renewed]))
  const { id } = await issueInvoice(deps, trx, {
    id: await nextInvoiceId(trx, 'renewal', object, of.toISOString()),
    userid,
    kind: 'renewal',
    at,
    validUntil: null,
    basket,
    soldAs({ key }) {
      const renewed = known.get(key)
      const item = renewed?.item ?? begun.get(key)
      if (!renewed || !item) throw new Error(`The item ${key} is not renewed`)
      const sold = { item_id: item.id, price_id: item.price_id, revenue: renewed.terms.kind }
      return { ...sold, product_type: 'Instance', reason: 'renewal' }
    },
  })
  await insertDunning(trx, id, userid)
  await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object: id, dueAt: at })
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
