/**
 * The end of an account that closes, a step at a time. Pure: what is asked for is asked again until it is so.
 *   begin    its time is over: what is sold to it ends, and its owner is told
 *   destroy  clusters, backups and domains go
 *   bill     its usage is billed, for the last time
 *   payOut   the balance goes to its cards, the rest is given up
 *   erase    everything personal goes; what is kept is sealed
 */
import { reminderMs } from './closing-dates.ts'

export type EndStep = 'remind' | 'begin' | 'destroy' | 'bill' | 'payOut' | 'erase' | 'wait'

export interface EndFacts {
  now: Date
  until: Date
  isReminded: boolean
  isBegun: boolean
  /** Clusters, backups and domains that are not gone. */
  living: number
  /** Usage is to be billed or corrected. */
  isUsageDue: boolean
  /** An invoice or a dispute is open, or a payment or refund under way. */
  isMoving: boolean
  /** Minor units. */
  balance: number
  isMailWaiting: boolean
}

export function decideEnding(facts: EndFacts): EndStep {
  const { now, until } = facts
  if (now < until) return !facts.isReminded && now.getTime() >= until.getTime() - reminderMs ? 'remind' : 'wait'
  if (!facts.isBegun) return 'begin'
  if (facts.living > 0) return 'destroy'
  if (facts.isUsageDue) return 'bill'
  if (facts.isMoving) return 'wait'
  if (facts.balance > 0) return 'payOut'
  return facts.isMailWaiting ? 'wait' : 'erase'
}
