import type { Limits } from './account-service.ts'

/** The time on the account's own clock when the wall clock shows `wall`: the time of all its money. */
export function accountNow({ clockOffsetMs }: Pick<Limits, 'clockOffsetMs'>, wall: Date): Date {
  return new Date(wall.getTime() + clockOffsetMs)
}
