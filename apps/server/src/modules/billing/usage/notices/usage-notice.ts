/**
 * The notice to an account about one product of its plan (design/usage, "Plans and limits"). Pure; decided whenever
 * usage is read, and the same usage decides the same again.
 *   (none) → usageNear at 80 % → usageCharged | usageLimited at 100 %, each in the place of the one before
 *   usageLimited → usageOpen as soon as it is not limited any more; that stays until it is seen, or for a day
 */
import type { NoticeKey } from '@atoll/contract/billing'

/** How far a product's quota is used. */
export type UsageLevel = 'below' | 'near' | 'charged' | 'limited'

export interface QuotaUse {
  /** In one unit, whichever: what counts against the limit above which it is charged or stops. */
  counted: bigint
  limit: bigint
  /** Nothing more of it is let through. */
  isStopped: boolean
}

const nearPercent = 80

export function levelOf({ counted, limit, isStopped }: QuotaUse): UsageLevel {
  if (isStopped) return 'limited'
  if (counted > limit) return 'charged'
  return counted > 0n && counted * 100n >= limit * BigInt(nearPercent) ? 'near' : 'below'
}

/** The notice that follows `before`; undefined: none. */
export function decideNotice(before: NoticeKey | undefined, level: UsageLevel): NoticeKey | undefined {
  if (level === 'limited') return 'usageLimited'
  if (before === 'usageLimited') return 'usageOpen'
  if (level === 'charged') return 'usageCharged'
  if (before === 'usageOpen') return 'usageOpen'
  return level === 'near' ? 'usageNear' : undefined
}

/** The mark that was passed, of which there is one mail in a period; undefined below 80 %. */
export function percentOf(level: UsageLevel): 80 | 100 | undefined {
  return level === 'below' ? undefined : level === 'near' ? nearPercent : 100
}
