/** A clock that moves only when told to; fits the server's `Clock`. */
export interface TestClock {
  now(): Date
  /** Moves the clock by `ms`, backwards too. */
  advance(ms: number): void
  set(time: Date): void
}

/** `start` is a fixed date: a clock that begins now meets the day, some day, on which its test fails. */
export function createTestClock(start: Date): TestClock {
  let current = start.getTime()
  return {
    now: () => new Date(current),
    advance(ms) {
      current += ms
    },
    set(time) {
      current = time.getTime()
    },
  }
}
