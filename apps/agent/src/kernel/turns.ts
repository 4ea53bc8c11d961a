/** At most `width` at a time: a later caller waits for its turn. */
export function createTurns(width: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (act) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      // The place passes on to the next, so that nobody slips in between.
      if (next) next()
      else running -= 1
    }
  }
}
