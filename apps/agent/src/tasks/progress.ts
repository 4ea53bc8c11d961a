import { TaskProgress, taskProgressMs } from '@atoll/contract/agents'

export interface Progress {
  /** Sends now, or the newest when the time has come. Throws on what the wire does not allow. */
  say(value: Record<string, unknown>): void
  /** Progress not sent by then is not sent. */
  stop(): void
}

/** At most one `send` in `taskProgressMs`. */
export function createProgress(send: (value: Record<string, unknown>) => void): Progress {
  let newest: Record<string, unknown> | undefined
  let due: NodeJS.Timeout | undefined
  let isOver = false

  function sendNewest(): void {
    due = undefined
    if (newest === undefined) return
    send(newest)
    newest = undefined
    due = setTimeout(sendNewest, taskProgressMs)
  }

  return {
    say(value) {
      newest = TaskProgress.parse(value)
      if (due === undefined && !isOver) sendNewest()
    },
    stop() {
      isOver = true
      clearTimeout(due)
    },
  }
}
