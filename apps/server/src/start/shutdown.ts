/**
 * Stopping in phases: each waits for what it stops, and all of them together no longer than the deadline. A phase that
 * is late is left behind and the next one begins, because the later ones (close the database, stop PostgreSQL) are
 * what makes the next start quick.
 */
import type { Log } from '../platform/log.ts'

export interface Phase {
  name: string
  stop(): Promise<void>
}

export interface Shutdown {
  /** Adds what has to be stopped; the phase added last is stopped first, like the start in reverse. */
  add(name: string, stop: () => Promise<void>): void
  /** Runs the phases, once however often it is called. True when each ended in time and without an error. */
  run(): Promise<boolean>
}

/** Even after the deadline a phase gets this long, ms. */
const leastMs = 500

export function createShutdown(options: { deadlineMs: number; log: Log }): Shutdown {
  const phases: Phase[] = []
  let running: Promise<boolean> | undefined

  async function runPhases(): Promise<boolean> {
    const deadline = performance.now() + options.deadlineMs
    let clean = true
    for (const phase of [...phases].reverse()) {
      const result = await runPhase(phase, Math.max(deadline - performance.now(), leastMs))
      if (result === 'done') continue
      clean = false
      if (result === 'late') options.log.warn({ phase: phase.name }, 'this part did not stop in time')
      else options.log.error({ phase: phase.name, err: result.error }, 'this part failed to stop')
    }
    return clean
  }

  return {
    add: (name, stop) => phases.push({ name, stop }),
    run() {
      running ??= runPhases()
      return running
    },
  }
}

async function runPhase(phase: Phase, withinMs: number): Promise<'done' | 'late' | { error: unknown }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), withinMs)
  })
  const stopped = phase.stop().then(
    () => 'done' as const,
    (error: unknown) => ({ error }),
  )
  try {
    return await Promise.race([stopped, late])
  } finally {
    clearTimeout(timer)
  }
}
