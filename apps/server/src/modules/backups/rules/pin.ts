/** Snapshots that no rule removes: for as long as their owner wants, or for a time that was promised. */
import type { SnapshotRow } from '../tables.ts'

/** How long a snapshot is pinned that was taken before files were replaced, or that was taken back. ms */
export const promisedPinMs = 30 * 24 * 3600_000

type Pinned = Pick<SnapshotRow, 'pinned_at' | 'pinned_until'>

export function isPinned({ pinned_at, pinned_until }: Pinned, at: Date): boolean {
  return pinned_at !== null && (pinned_until === null || pinned_until > at)
}

/** The pin of a snapshot that is promised to stay for 30 days; a longer pin that it already has stays. */
export function promisedPin(row: Pinned, at: Date): Pinned {
  const until = new Date(at.getTime() + promisedPinMs)
  if (isPinned(row, at) && (row.pinned_until === null || row.pinned_until > until)) {
    return { pinned_at: row.pinned_at, pinned_until: row.pinned_until }
  }
  return { pinned_at: at, pinned_until: until }
}
