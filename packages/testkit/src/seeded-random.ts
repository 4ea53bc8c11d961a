/** Numbers that look random and repeat for the same seed (mulberry32), so that a failing round can be run again. */
export interface SeededRandom {
  /** Whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}
