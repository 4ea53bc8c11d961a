import { exitCodes } from '../kernel/fatal.ts'
import { forget, type Home } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import type { Channel } from '../link/channel.ts'

/**
 * The owner gave the cluster up: forgets who it was, and with `wipe` everything. Begun again after a crash it waits
 * for the channel, so that the control plane gets its `left`. Done once, however often it is asked.
 */
export function createLeaving(options: {
  home: Home
  log: Log
  channel(): Channel | undefined
  /** Stops what works in the home. */
  stop(): Promise<void>
  /** Ends this process with an exit code. */
  dismiss(code: number): void
}): (wipe: boolean) => Promise<void> {
  const { home, log, channel, stop, dismiss } = options
  let leaving: Promise<void> | undefined

  async function leave(wipe: boolean): Promise<void> {
    log.warn('link', wipe ? 'told to leave and to delete everything' : 'told to leave; the files stay')
    await channel()?.whenOpen()
    await stop()
    await forget(home, wipe)
    await channel()?.sayLeft()
    dismiss(exitCodes.left)
  }

  return (wipe) => {
    leaving ??= leave(wipe).catch((error: unknown) => {
      log.error('link', `leaving was cut short; the next start goes on: ${describeError(error)}`)
      dismiss(exitCodes.restart)
    })
    return leaving
  }
}
