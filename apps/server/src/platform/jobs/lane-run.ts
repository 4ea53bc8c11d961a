import type { LaneLimits } from './lanes.ts'

/** A worker's counts for one lane. */
export interface LaneRuns {
  /** False, without counting it, when the account has its share already. */
  enter(account: string): boolean
  leave(account: string): void
  /** The flags of jobs that are not taken now: those of accounts that have their share. */
  listFull(): string[]
}

/** The flag of a job that waits for its account's share. */
export const accountFlag = (account: string) => `account:${account}`

export function countRuns({ share }: Pick<LaneLimits, 'share'>): LaneRuns {
  const running = new Map<string, number>()
  return {
    enter(account) {
      const count = running.get(account) ?? 0
      if (count >= share) return false
      running.set(account, count + 1)
      return true
    },
    leave(account) {
      const count = (running.get(account) ?? 0) - 1
      if (count > 0) running.set(account, count)
      else running.delete(account)
    },
    listFull: () => [...running].flatMap(([account, count]) => (count >= share ? [accountFlag(account)] : [])),
  }
}

/** From the abort of a run's signal to the moment at which its place is given away, at most; ms. */
const graceMs = 5000

export interface Timed {
  deadlineMs: number
  /** Told when a run ends after its place was given away; `error`: how it failed. */
  onLate: (error?: unknown) => void
}

/**
 * Runs `work` with a signal that is aborted at the deadline, or with `signal`. Rejects when it has not ended a little
 * after; it may still be running then, which is why what a job does has to be safe to repeat.
 */
export async function runInTime(
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  { deadlineMs, onLate }: Timed,
): Promise<void> {
  const deadline = new AbortController()
  const given = Promise.withResolvers<never>()
  let isGivenAway = false
  let timer = setTimeout(() => {
    const error = new Error(`it had not ended after ${deadlineMs} ms`)
    deadline.abort(error)
    timer = setTimeout(
      () => {
        isGivenAway = true
        given.reject(error)
      },
      Math.min(graceMs, deadlineMs),
    )
  }, deadlineMs)
  const running = work(AbortSignal.any([signal, deadline.signal]))
  running.then(
    () => isGivenAway && onLate(),
    (error: unknown) => isGivenAway && onLate(error),
  )
  try {
    await Promise.race([running, given.promise])
  } finally {
    clearTimeout(timer)
  }
}
