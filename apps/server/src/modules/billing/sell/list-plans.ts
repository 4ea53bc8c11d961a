import type { PlanOffer, planShow } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import { type CatalogPlan, type LiveCatalog, type PlanTerms, termsOfPlan } from '../../catalog/index.ts'
import { type OwnPlan, readOwnPlan } from '../records/own-plan.ts'
import { usagePeriodOf } from '../records/usage-period.ts'

export interface PlanListDeps {
  db: Db
  clock: Clock
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'getLimits'>
  /** vCPU of a plan that names none. */
  quotaOfPlan(level: number): number
}

/** All plans that are sold to the account, and the one that it has, as it was sold. */
export async function listPlans(
  deps: PlanListDeps,
  userid: string,
  locale: Locale,
): Promise<CallData<typeof planShow>> {
  const { db, catalog } = deps
  const { currency } = await deps.accounts.getLimits(db, userid)
  const own = await readOwnPlan(db, userid)
  const planLevel = own.current?.terms.level ?? 0
  const sold = catalog.current().plans.flatMap((plan) => {
    const terms = termsOfPlan(plan, currency)
    return terms ? [{ plan, terms }] : []
  })
  const offers = sold.map(({ plan, terms }) => {
    const isCurrent = plan.level === planLevel
    const shown = isCurrent ? (own.current?.terms ?? terms) : terms
    return offerOf(deps, shown, { isCurrent, isSold: true, summary: summaryOf(plan, locale) })
  })
  const { current } = own
  if (current && !sold.some(({ plan }) => plan.level === planLevel)) {
    offers.push(offerOf(deps, current.terms, { isCurrent: true, isSold: false, summary: null }))
  }
  offers.sort((a, b) => a.planLevel - b.planLevel)
  return { planLevel, currency, plans: offers, pending: pendingOf(own) }
}

function summaryOf({ summary }: CatalogPlan, locale: Locale): string | null {
  return summary?.[locale] ?? null
}

function offerOf(
  { quotaOfPlan }: PlanListDeps,
  { level, title, amount, quotas, overage }: PlanTerms,
  facts: Pick<PlanOffer, 'isCurrent' | 'isSold' | 'summary'>,
): PlanOffer {
  const vCpu = quotas.vCpu ?? quotaOfPlan(level)
  return { planLevel: level, name: title['en-US'], amount, quotas: { ...quotas, vCpu }, rates: overage, ...facts }
}

function pendingOf({ subscription, waiting }: OwnPlan): CallData<typeof planShow>['pending'] {
  if (waiting) {
    const { id: invoiceId, valid_until } = waiting.invoice
    const validUntil = valid_until?.toISOString() ?? null
    return { planLevel: waiting.terms.level, effectiveAt: null, invoiceId, validUntil }
  }
  if (!subscription || subscription.pending_level === null) return null
  const { pending_level: planLevel, period_end } = subscription
  return { planLevel, effectiveAt: period_end.toISOString(), invoiceId: null, validUntil: null }
}

/** The period that quotas and the cap count in, now. */
export async function showPeriod(
  { db, clock, accounts }: Pick<PlanListDeps, 'db' | 'clock' | 'accounts'>,
  userid: string,
): Promise<{ periodStart: number; periodEnd: number }> {
  const limits: Limits = await accounts.getLimits(db, userid)
  const own = await readOwnPlan(db, userid)
  const { start, end } = usagePeriodOf(own, limits, accountNow(limits, clock.now()))
  return { periodStart: Math.floor(start.getTime() / 1000), periodEnd: Math.floor(end.getTime() / 1000) }
}
