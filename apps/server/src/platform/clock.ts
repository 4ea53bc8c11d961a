/** Time as a dependency: rules that depend on it take a `Clock`, so tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
