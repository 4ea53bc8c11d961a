import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { lapseOrder } from '../pay/bills/lapse-order.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { lapseGrants } from '../records/documents/promo-store.ts'
import { runRenewalTry, runTryNow } from '../renewals/collect.ts'
import { runGraceOver } from '../renewals/give-up.ts'
import { runGraceMail, runLapseMail, runRenewalMail } from '../renewals/mail-runners.ts'
import { runRenewal } from '../renewals/renew.ts'
import type { RenewalDeps } from '../renewals/renewal-deps.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome, DueRunners } from '../schedule/due-runner.ts'
import { runLastCorrection, runUsage, runUsageLimit } from '../usage/bill-usage.ts'
import type { CurrentUsageDeps } from '../usage/current-usage.ts'
import { keepUsageCovered } from '../usage/keep-usage-covered.ts'

/** The runners of due items, by kind. */
export function dueRunners(deps: RenewalDeps & CurrentUsageDeps): DueRunners {
  return {
    [dueKinds.orderLapse]: (trx, due) => runOrderLapse(deps, trx, due),
    [dueKinds.promoExpiry]: (trx, due) => runPromoExpiry(deps, trx, due),
    [dueKinds.renewal]: (trx, due) => runRenewal(deps, trx, due),
    [dueKinds.renewalTry]: (trx, due) => runRenewalTry(deps, trx, due),
    [dueKinds.renewalTryNow]: (trx, due) => runTryNow(deps, trx, due),
    [dueKinds.graceOver]: (trx, due) => runGraceOver(deps, trx, due),
    [dueKinds.usage]: (trx, due) => runUsage(deps, trx, due),
    [dueKinds.usageLimit]: (trx, due) => runUsageLimit(deps, trx, due),
    [dueKinds.usageCorrection]: (trx, due) => runLastCorrection(deps, trx, due),
    [dueKinds.lapseMail]: (trx, due) => runLapseMail(deps, trx, due),
    [dueKinds.renewalMail]: (trx, due) => runRenewalMail(deps, trx, due),
    [dueKinds.graceMail]: (trx, due) => runGraceMail(deps, trx, due),
  }
}

/** Takes an order back that nobody paid in time; one that a card may have paid is waited for. */
async function runOrderLapse(deps: OrderDeps, trx: Trx, { userid, object: invoiceId, at }: Due): Promise<DueOutcome> {
  const { state, reopened } = await getInvoice(trx, userid, invoiceId)
  if (state !== 'open' || reopened > 0) return 'done'
  return (await lapseOrder(deps, trx, { userid, invoiceId, at })) ? 'done' : 'waiting'
}

/** Ends what is left of a grant of promotional credit; what was used while it covered that stays owed. */
async function runPromoExpiry(
  deps: CurrentUsageDeps,
  trx: Trx,
  { userid, object: grantId, dueAt, at, limits }: Due,
): Promise<DueOutcome> {
  await keepUsageCovered(deps, trx, userid, new Date(dueAt.getTime() - 1))
  if (await lapseGrants(trx, { userid, grantId, currency: limits.currency, at }))
    await publishChange(trx, { account: userid, topic: 'billing', id: grantId })
  return 'done'
}
