/** Output of an instance's processes: one file in its folder, to which each boot appends. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, notPlain, openPlain } from './instance-folder.ts'

/** Past this size a boot moves the file aside, in place of the one before. Bytes */
const logLimit = 4 * 1024 * 1024
/** How much of its end is read for the last line, and how much of that is reported. Bytes, characters */
const tailLimit = 4096
const lineLimit = 300

const logOf = (home: string) => join(home, 'agent.log')

/** Opens the log of a new boot for appending; the caller closes it. */
export async function openLog(home: string): Promise<FileHandle> {
  const path = logOf(home)
  try {
    if ((await lstat(path)).size > logLimit) await rename(path, `${path}.1`)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  return await openPlain(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
}

/** The last line the process wrote, or the plain fact that it is gone. */
export async function lastWords(home: string): Promise<string> {
  const ended = 'Its process ended.'
  try {
    await using file = await openPlain(logOf(home))
    const { size } = await file.stat()
    const length = Math.min(size, tailLimit)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const line = buffer.toString('utf8').trimEnd().split('\n').at(-1)?.slice(0, lineLimit)
    return line ? `${ended} It said last: ${line}` : ended
  } catch (error) {
    if (hasCode(error, 'ENOENT', ...notPlain)) return ended
    throw error
  }
}
