import type { planChangeEstimate } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import { periodAt } from '@atoll/money'
import { accountNow } from '../../accounts/index.ts'
import { quoteOf, signQuote } from '../pricing/estimate-token.ts'
import { nameOf, planBasket } from '../sell/change-plan.ts'
import { estimateFigures, estimateLine } from '../sell/estimate-json.ts'
import { estimatePlan } from '../sell/estimate-plan.ts'
import type { EstimateDeps } from '../sell/estimate-service.ts'
import type { CurrentUsageDeps } from '../usage/current-usage.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import { readIncluded } from './included-until-end.ts'

/** The cost of changing the account's plan now, with the token to change at that price. */
export async function quotePlan(
  deps: EstimateDeps & CurrentUsageDeps,
  userid: string,
  level: number,
  locale: Locale,
): Promise<CallData<typeof planChangeEstimate>> {
  const { db, clock, sealer, catalog, accounts, findMethod } = deps
  const limits = await accounts.getLimits(db, userid)
  const method = await findMethod(db, userid)
  const at = accountNow(limits, clock.now())
  const estimate = await estimatePlan(db, catalog.current(), limits, { userid, level, at, method })
  const { basket, prices, move, terms, own } = estimate
  const begins = own.current ? undefined : periodAt(estimate.at, 0, limits.zone)
  const raise = move === 'up' && terms && { userid, terms, at: estimate.at, begins }
  const { included, periodEnd } = raise ? await readIncluded(deps, db, raise) : { included: [], periodEnd: null }
  // As the invoice will say.
  const productName = invoiceTexts[locale].plan(nameOf(level))
  return {
    ...estimateFigures(estimate),
    items: basket.items.map((item) => estimateLine(item, productName, 1)),
    planLevel: level,
    effectiveAt: estimate.effectiveAt.toISOString(),
    included,
    periodEnd: periodEnd?.toISOString() ?? null,
    estimateToken: signQuote(sealer, quoteOf({ userid, basket: planBasket(level) }, prices, basket, estimate.at)),
  }
}
