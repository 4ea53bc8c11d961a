/** Runs what it is given, so much of it at a time, in the order in which it came. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** `most`: runs at a time. Running work must not wait for work that is queued here. */
export function createGate(most: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Its place goes straight to the next one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
