/**
 * One agent per home. The lock is a listening Unix socket in Linux's abstract namespace, named after the folder's
 * device and inode: the kernel frees it the instant the process is gone, so there is no stale lock file to judge, and
 * taking it is atomic. (The agent needs Linux anyway: it measures through /proc.)
 */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hasErrorCode } from './atomic-file.ts'
import { Fatal } from './fatal.ts'

/** Takes the lock of `folder` until `release` or the end of the process; throws `Fatal` (exit 3) when it is held. */
export async function lockHome(folder: string): Promise<{ release(): void }> {
  const { dev, ino } = await stat(folder)
  const server = createServer((socket) => socket.destroy())
  server.listen(`\0atoll-agent-${dev}-${ino}`)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (hasErrorCode(error, 'EADDRINUSE')) throw new Fatal('occupied', `another agent runs on ${folder}`)
    throw error
  }
  server.unref()
  return { release: () => server.close() }
}
