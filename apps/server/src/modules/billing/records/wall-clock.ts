import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import './travel-store.ts'

/** The wall-clock time at an instant of an account's time; a jump takes no wall-clock time. */
export type WallClock = (at: Date) => Date

/** The wall's clock as an account's time knows it, however often the account's clock was moved. */
export async function readWallClock(
  db: Db,
  userid: string,
  { clockOffsetMs }: Pick<Limits, 'clockOffsetMs'>,
): Promise<WallClock> {
  // A clock only ever moves forward: this one never did.
  if (clockOffsetMs === 0) return (at) => at
  const jumps = await db
    .selectFrom('clock_jumps')
    .select(['from_at', 'to_at'])
    .where('userid', '=', userid)
    .orderBy('from_at')
    .execute()
  return (at) => {
    const jumpedLater = jumps.reduce(
      (ms, { from_at, to_at }) => ms + Math.max(0, to_at.getTime() - Math.max(from_at.getTime(), at.getTime())),
      0,
    )
    return new Date(at.getTime() - clockOffsetMs + jumpedLater)
  }
}
