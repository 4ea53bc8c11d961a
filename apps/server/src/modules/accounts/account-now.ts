import type { Limits } from './account-service.ts'

/** What the account's own clock shows when the wall's shows `wall`: the time of all its money. */
export function accountNow({ clockOffsetMs }: Pick<Limits, 'clockOffsetMs'>, wall: Date): Date {
  return new Date(wall.getTime() + clockOffsetMs)
}
