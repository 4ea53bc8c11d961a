/** How fast a run of restic is, and how long it still takes: restic seldom says either. */
import type { BackupProgress } from '@atoll/contract/agents'

/** The period that the reported pace covers. ms */
const windowMs = 20_000
/** Less time says nothing. ms */
const leastMs = 1000

type Counted = Omit<BackupProgress, 'bytesPerSecond'>

/**
 * Adds the pace to what is passed on. `secondsLeft` is restic's own where it says one, else it follows from total and
 * pace: bytes where they are counted, else files. `now`: ms that only grow.
 */
export function createPace(now: () => number = () => performance.now()): (progress: Counted) => BackupProgress {
  let samples: { at: number; bytes: number; files: number }[] = []
  return (progress) => {
    const { bytesDone: bytes, bytesTotal, filesDone: files, filesTotal } = progress
    const at = now()
    const last = samples.at(-1)
    // restic starts counting over: another part of its work has begun.
    if (last && (bytes < last.bytes || files < last.files)) samples = []
    // One that is older than the window stays, so that the window is always full.
    while ((samples[1]?.at ?? at) < at - windowMs) samples.shift()
    samples.push({ at, bytes, files })
    const first = samples[0] ?? { at, bytes, files }
    const seconds = (at - first.at) / 1000
    const perSecond = (done: number) => (at - first.at < leastMs ? 0 : done / seconds)
    const byteRate = perSecond(bytes - first.bytes)
    const left =
      bytesTotal > 0
        ? timeLeft(bytesTotal - bytes, byteRate)
        : filesTotal > 0
          ? timeLeft(filesTotal - files, perSecond(files - first.files))
          : null
    return {
      ...progress,
      bytesPerSecond: byteRate > 0 ? Math.round(byteRate) : null,
      secondsLeft: progress.secondsLeft ?? left,
    }
  }
}

/** Seconds; null while nothing moves. */
function timeLeft(more: number, rate: number): number | null {
  if (more <= 0) return 0
  return rate > 0 ? Math.ceil(more / rate) : null
}
