const dayMs = 86_400_000
/** Days between one try to collect a bill and the next. */
export const tryGaps: readonly number[] = [1, 2, 2]
/** Days from past due to given up. */
const graceDays = 14

/** Until when what stands on a bill is kept that became past due at `at`. */
export function graceEnd(at: Date): Date {
  return addDays(at, graceDays)
}

/** When the next try is made after `tries`; after the last, when the bill is past due: at once. */
export function nextTryAt(at: Date, tries: number): Date {
  return addDays(at, tryGaps[tries - 1] ?? 0)
}

/** When a bill is past due of which `tries` have failed and the next is made at `nextAt`, if all of them fail. */
export function pastDueAt(nextAt: Date, tries: number): Date {
  return addDays(
    nextAt,
    tryGaps.slice(tries).reduce((sum, gap) => sum + gap, 0),
  )
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}
