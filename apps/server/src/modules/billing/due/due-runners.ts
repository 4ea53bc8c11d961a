import { runRenewalTry, runTryNow } from '../renewals/collect.ts'
import { runGraceOver } from '../renewals/give-up.ts'
import { runGraceMail, runLapseMail, runRenewalMail } from '../renewals/mail-runners.ts'
import { runRenewal } from '../renewals/renew.ts'
import type { RenewalDeps } from '../renewals/renewal-deps.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { DueRunners } from '../schedule/due-runner.ts'
import { runLastCorrection, runUsage, runUsageLimit } from '../usage/bill-usage.ts'
import type { CurrentUsageDeps } from '../usage/current-usage.ts'
import { runOrderLapse } from './order-lapse.ts'
import { runPromoExpiry } from './promo-expiry.ts'

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
