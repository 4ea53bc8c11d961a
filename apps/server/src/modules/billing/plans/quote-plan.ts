import type { planChangeEstimate } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import { accountNow } from '../../accounts/index.ts'
import { estimateFigures, estimateLine } from '../estimate/estimate-json.ts'
import type { EstimateDeps } from '../estimate/estimate-service.ts'
import { quoteOf, signQuote } from '../estimate/estimate-token.ts'
import { invoiceTexts } from '../files/invoice-texts.ts'
import { nameOf, planBasket } from './change-plan.ts'
import { estimatePlan } from './estimate-plan.ts'

/** What changing to a plan would cost the account now, with the token to change at that figure. */
export async function quotePlan(
  { db, clock, sealer, catalog, accounts, findMethod }: EstimateDeps,
  userid: string,
  level: number,
  locale: Locale,
): Promise<CallData<typeof planChangeEstimate>> {
  const limits = await accounts.getLimits(db, userid)
  const method = await findMethod(db, userid)
  const at = accountNow(limits, clock.now())
  const estimate = await estimatePlan(db, catalog.current(), limits, { userid, level, at, method })
  const { basket, prices } = estimate
  // As the invoice will say.
  const productName = invoiceTexts[locale].plan(nameOf(level))
  return {
    ...estimateFigures(estimate),
    items: basket.items.map((item) => estimateLine(item, productName, 1)),
    planLevel: level,
    effectiveAt: estimate.effectiveAt.toISOString(),
    estimateToken: signQuote(sealer, quoteOf({ userid, basket: planBasket(level) }, prices, basket, estimate.at)),
  }
}
