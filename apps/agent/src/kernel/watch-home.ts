import { stat } from 'node:fs/promises'
import { hasErrorCode } from './atomic-file.ts'

/** ms */
const checkEveryMs = 5000

/**
 * Calls `onGone` once if `folder` was removed, or another is in its place: an agent without its files serves nobody,
 * and a person who removed them by hand leaves nothing by which a supervisor could find the process. Returns the
 * function that ends the watch.
 */
export async function watchHome(folder: string, onGone: () => void, everyMs = checkEveryMs): Promise<() => void> {
  const { dev, ino } = await stat(folder)
  let isOver = false
  const timer = setInterval(async () => {
    if (!(await isGone()) || isOver) return
    stop()
    onGone()
  }, everyMs)
  timer.unref()

  async function isGone(): Promise<boolean> {
    try {
      const now = await stat(folder)
      return now.dev !== dev || now.ino !== ino
    } catch (error) {
      return hasErrorCode(error, 'ENOENT') // a disk that cannot be asked may come back
    }
  }

  function stop(): void {
    isOver = true
    clearInterval(timer)
  }

  return stop
}
