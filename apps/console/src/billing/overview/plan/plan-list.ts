import type { PlanOffer, planShow } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'

/** The plans as they are compared, and what a choice does. */
export interface PlanList extends CallData<typeof planShow> {
  onChoose: (plan: PlanOffer) => void
}
