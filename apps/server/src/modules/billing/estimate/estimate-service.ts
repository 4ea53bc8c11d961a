import type { Estimate as EstimateJson, getEstimatedAmount } from '@atoll/contract/billing'
import type { CallBody, Locale } from '@atoll/contract/wire'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Accounts, Limits } from '../../accounts/index.ts'
import { type InstanceTerms, type LiveCatalog, termsOfOffering } from '../../catalog/index.ts'
import type { Method } from '../orders/begin-payment.ts'
import { type Estimate, estimateOrder } from './estimate-order.ts'
import { basketText, estimateLifetimeMs, quoteOf, signQuote } from './estimate-token.ts'

export interface EstimateDeps {
  db: Db
  clock: Clock
  sealer: Pick<Sealer, 'derive'>
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'getLimits'>
  /** The card that an order would be charged to. */
  findMethod(db: Db, userid: string): Promise<Method | null>
  /** A cluster of this very account; undefined for any other, an Admin's view of it included. */
  findOwnCluster(db: Db, userid: string, clusterId: string): Promise<{ cloudName: string | null } | undefined>
}

/** What ordering this would cost the account now, with the token to order it at that figure. */
export async function estimateAmount(
  deps: EstimateDeps,
  userid: string,
  body: CallBody<typeof getEstimatedAmount>,
  locale: Locale,
): Promise<EstimateJson> {
  const { db, clock, sealer, accounts } = deps
  const limits = await accounts.getLimits(db, userid)
  const clusterId = body.kind === 'worker' ? body.clusterId : null
  const quantity = body.kind === 'worker' ? body.quantity : 1
  const sold = await getTerms(deps, userid, limits, body)
  const method = await deps.findMethod(db, userid)
  const terms = Array.from({ length: quantity }, () => sold)
  const estimate = await estimateOrder(db, limits, { userid, clusterId, terms, at: clock.now(), method })
  const asked = { userid, basket: basketText({ ...body }) }
  const estimateToken = signQuote(sealer, quoteOf(asked, estimate.prices, estimate.basket, estimate.at))
  return estimateJson(estimate, { sold, quantity, estimateToken, locale })
}

/** What is asked for as it is sold to the account; refuses what is not, there and in its currency. */
async function getTerms(
  { db, catalog, findOwnCluster }: EstimateDeps,
  userid: string,
  { currency }: Limits,
  body: CallBody<typeof getEstimatedAmount>,
): Promise<InstanceTerms> {
  const own = body.kind === 'worker' ? await findOwnCluster(db, userid, body.clusterId) : undefined
  if (body.kind === 'worker' && !own) return refuse('notFound', { object: 'cluster' })
  for (const cloud of catalog.current().clouds) {
    const offering = cloud.offerings.find(({ name }) => name === body.offering)
    const terms = offering && termsOfOffering(cloud.cloudName, offering, currency)
    if (terms && (!own || own.cloudName === cloud.cloudName)) return terms
  }
  return refuse('offeringNotSold', { offering: body.offering })
}

function estimateJson(
  { at, basket, perMonth, nextAt }: Estimate,
  about: { sold: InstanceTerms; quantity: number; estimateToken: string; locale: Locale },
): EstimateJson {
  const { items, gross, discount, total, coupon, split } = basket
  const [first] = items
  if (!first) throw new Error('An estimate of nothing')
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    amount: total.minor,
    currency: total.currency,
    items: [
      {
        productName: about.sold.title[about.locale],
        amount: gross.minor,
        quantity: about.quantity,
        periodStart: seconds(first.period.start),
        periodEnd: seconds(first.period.end),
        proration: first.proration,
      },
    ],
    discount: discount.minor,
    coupon: coupon?.code ?? null,
    fromPromo: split.promo.minor,
    fromBalance: split.balance.minor,
    toCard: split.card.minor,
    rolledOver: split.rolled.minor,
    perMonth: perMonth.minor,
    nextAt: nextAt.toISOString(),
    validUntil: new Date(at.getTime() + estimateLifetimeMs).toISOString(),
    estimateToken: about.estimateToken,
  }
}
