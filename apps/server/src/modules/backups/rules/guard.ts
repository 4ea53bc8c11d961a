/**
 * Compares a run with the ones before it: files that vanish, or are all rewritten, may be an attack or an accident that
 * retention would make permanent. Growth alone raises no alarm.
 */

export interface GuardedRun {
  /** Of all files. */
  bytes: number
  files: number
  /** Newly stored data, including the metadata that describes the files; bytes. */
  newBytes: number
}

export interface Alarm {
  kind: 'shrink' | 'rewrite'
  /** How much of all is gone, or is new: 0 to 1. */
  share: number
}

/** Runs that a new one is measured by. */
export const guardedRuns = 5
const shrinkShare = 0.3
const rewriteShare = 0.6
/** Of a tree so small a single file is a large share. */
const least = { bytes: 65_536, files: 10 }
/** Approximate size of restic's metadata for one file: its name, times, owner and the hash of its content. bytes */
const describingBytes = 400

/** `before`: up to five completed runs, the newest first. Null: no alarm, as for the first run. */
export function guardRun(run: GuardedRun, before: readonly GuardedRun[]): Alarm | null {
  const [last] = before
  if (!last) return null
  const shares = (['bytes', 'files'] as const).map((figure) => {
    const most = Math.max(...before.slice(0, guardedRuns).map((each) => each[figure]))
    const lost = most - run[figure]
    return lost >= least[figure] ? lost / most : 0
  })
  const shrunk = Math.max(...shares)
  if (shrunk >= shrinkShare) return { kind: 'shrink', share: shrunk }
  // The increase in size counts as growth; all other new data replaced existing data.
  const added = Math.max(0, run.bytes - last.bytes)
  const rewritten = run.newBytes - describingBytes * run.files - added
  const all = Math.min(run.bytes, last.bytes)
  if (rewritten < least.bytes || rewritten <= all * rewriteShare) return null
  return { kind: 'rewrite', share: Math.min(1, rewritten / all) }
}
