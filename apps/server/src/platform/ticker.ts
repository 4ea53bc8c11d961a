import type { Log } from './log.ts'

export interface Ticker {
  /** Resolves when a run under way is over; none starts any more. */
  stop(): Promise<void>
}

/** Runs `task` every `intervalMs`, never twice at once. A run that fails is logged; the next one tries again. */
export function startTicker(intervalMs: number, log: Log, what: string, task: () => Promise<void>): Ticker {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= task()
      .catch((error: unknown) => log.error({ err: error }, `failed: ${what}`))
      .finally(() => {
        running = undefined
      })
  }, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
