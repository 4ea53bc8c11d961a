/**
 * Warnings that outsiders can cause as often as they like: the first of a kind is logged at once, and those that follow
 * within a minute as one line with their count.
 */
import type { Log } from './log.ts'

export interface Complaints {
  /** `about`: whom; with `message` it makes the kind. `fields` of the newest are shown. */
  warn(about: string, message: string, fields?: object): void
  /** Logs what was counted and not yet said. */
  flush(): void
}

const everyMs = 60_000
/** Kinds that are counted apart; beyond them all counts are said, and begun again. */
const mostKinds = 10_000

interface Kind {
  message: string
  fields: object
  since: number
  /** Since the line about it. */
  count: number
}

/** `now`: ms of a steady clock. */
export function createComplaints(log: Pick<Log, 'warn'>, now: () => number = () => performance.now()): Complaints {
  const kinds = new Map<string, Kind>()

  function tell({ message, fields, count }: Kind): void {
    if (count > 0) log.warn({ ...fields, repeated: count }, message)
  }

  function flush(): void {
    for (const kind of kinds.values()) tell(kind)
    kinds.clear()
  }

  return {
    warn(about, message, fields = {}) {
      const key = `${about} ${message}`
      const kind = kinds.get(key)
      if (kind && now() - kind.since < everyMs) {
        kind.count += 1
        kind.fields = fields
        return
      }
      if (kind) tell(kind)
      else if (kinds.size >= mostKinds) flush()
      log.warn(fields, message)
      kinds.set(key, { message, fields, since: now(), count: 0 })
    },
    flush,
  }
}
