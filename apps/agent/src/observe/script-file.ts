/** A file that an operator's script writes for the agent, in `$ATOLL_HOME`: at any time and in any state. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { hasErrorCode } from '../kernel/atomic-file.ts'

/** The whole text; undefined without a file. Throws for one that is larger than `mostBytes`. */
export async function readScriptFile(path: string, mostBytes: number): Promise<string | undefined> {
  try {
    // A pipe in its place would else be waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0)
      if (bytesRead > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
