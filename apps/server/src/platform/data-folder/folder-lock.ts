import { statSync, unlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** The folder is in use by another running process of this deployment. */
export class FolderTaken extends OperatorError {
  override name = 'FolderTaken'
  readonly pid: string
  constructor(folder: string, pid: string) {
    super(
      `The data folder ${folder} is in use by the server with pid ${pid}. ` +
        'Stop that one first, or choose another folder with ATOLL_DATA_DIR.',
    )
    this.pid = pid
  }
}

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Makes this process the only one that owns `folder` until `release` or its death, however sudden. The lock is a
 * listening socket that answers with our pid: the kernel gives it to one process and frees it when that one dies,
 * which no file could promise. On Linux its name is abstract (nothing on disk, tied to the folder's inode); elsewhere
 * it is a file in the folder, and one that nobody answers on is a leftover.
 */
export async function lockFolder(folder: string, abstract = platform() === 'linux'): Promise<FolderLock> {
  const { dev, ino } = statSync(folder)
  const path = abstract ? `\0atoll-${dev}-${ino}` : join(folder, 'lock.sock')
  for (let attempt = 0; ; attempt++) {
    const release = await listenOn(path)
    if (release) return { release }
    const pid = await askOwner(path)
    // A holder that died between our two questions leaves an abstract name free; a file has to be removed.
    if (pid !== undefined || attempt === 3) throw new FolderTaken(folder, pid ?? 'unknown')
    if (!abstract) unlinkSync(path)
  }
}

function listenOn(path: string): Promise<(() => Promise<void>) | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(String(process.pid))
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(path, () => {
      // The lock alone must not keep the process running.
      server.unref()
      resolve(() => new Promise((done) => server.close(() => done())))
    })
  })
}

/** The pid that the holder names; undefined when nobody answers. */
function askOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(2000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk
    })
    // A refused connection means that nobody listens; 'close' follows and says so.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text === '' ? undefined : text))
  })
}
