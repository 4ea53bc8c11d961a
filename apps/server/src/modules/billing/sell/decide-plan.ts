import type { Buyer } from './buyer.ts'
import type { PlanMove } from './estimate-plan.ts'

export interface PlanFacts {
  move: PlanMove
  /** The plan that is asked for; 0 is Free. */
  level: number
  /** Of a higher one that waits for its payment. */
  waiting: number | undefined
  /** Whether the plan that the account has is past due; undefined on Free. */
  isPastDue: boolean | undefined
  /** Whether the customer was shown a figure that does not hold any more. */
  isStale: boolean
  /** Whether something is to be paid now. */
  costs: boolean
  buyer: Pick<Buyer, 'isHeld' | 'isDisputing'>
}

export type PlanStep =
  | { does: 'refuse'; why: 'planWaits' | 'planPastDue' | 'accountHeld' | 'estimateChanged' | 'paymentDisputed' }
  /** It was asked for before, and waits for its payment. */
  | { does: 'nothing' }
  | {
      does: 'change'
      /** A higher plan that waits for its payment is not wanted any more. */
      takesBack: boolean
      /** The lower plan that is to come, null: none is; undefined: as it was. */
      pending: number | null | undefined
      /** A higher plan is sold now. */
      sells: boolean
    }

/** Decides how a request for a plan goes. A higher one that is not paid yet leaves a lower one to come. Pure. */
export function decidePlan(facts: PlanFacts): PlanStep {
  const { move, level, waiting, isPastDue, isStale, costs, buyer } = facts
  if (move === 'up') {
    if (waiting !== undefined) return waiting === level ? { does: 'nothing' } : { does: 'refuse', why: 'planWaits' }
    if (isPastDue) return { does: 'refuse', why: 'planPastDue' }
    if (buyer.isHeld) return { does: 'refuse', why: 'accountHeld' }
  }
  if (isStale) return { does: 'refuse', why: 'estimateChanged' }
  if (move === 'up' && costs && buyer.isDisputing) return { does: 'refuse', why: 'paymentDisputed' }
  const pending = move === 'up' ? undefined : move === 'down' ? level : null
  return { does: 'change', takesBack: waiting !== undefined, pending, sells: move === 'up' }
}
