import { type Period, periodAt, periodIndexAt, startOfDay } from '@atoll/money'
import type { Limits } from '../../accounts/index.ts'
import type { OwnPlan } from './own-plan.ts'

/** The period that quotas and the cap count in at `at`: the plan's; on Free, months from the account's first day. */
export function usagePeriodOf(
  { subscription, current }: OwnPlan,
  limits: Pick<Limits, 'createdAt' | 'zone'>,
  at: Date,
): Period {
  const { createdAt, zone } = limits
  const anchor = subscription && current ? subscription.anchor : startOfDay(createdAt, zone)
  return periodAt(anchor, periodIndexAt(anchor, at, zone), zone)
}
