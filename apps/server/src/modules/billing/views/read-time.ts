/** Seconds since the epoch, as the specification has periods (spec §3). */
export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

/** A span of the account's time as calls give it; both ends may be left out. */
export interface TimeSpan {
  from?: string | undefined
  to?: string | undefined
}

export function spanOf({ from, to }: TimeSpan): { from: Date | undefined; to: Date | undefined } {
  return { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) }
}
