import type { ChildProcess } from 'node:child_process'
import { hasErrorCode } from './atomic-file.ts'

/** Sends `by` to the whole group of a leader that was started detached; one that never started leads none. */
export function endGroup({ pid }: ChildProcess, by: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, by)
  } catch (error) {
    // Nobody of the group is left.
    if (!hasErrorCode(error, 'ESRCH')) throw error
  }
}
