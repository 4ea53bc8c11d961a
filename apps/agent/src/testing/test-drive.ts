/** A drive in a folder of a test, and what is asked of one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Drive, openDrive } from '../drive/drive.ts'
import { HttpProblem } from '../kernel/problem.ts'

/** A drive whose files and uploads lie in `folder`. */
export async function openTestDrive(folder: string, quotaBytes?: number): Promise<Drive> {
  await mkdir(join(folder, 'uploads'), { recursive: true })
  return await openDrive({ root: join(folder, 'drive'), uploads: join(folder, 'uploads'), quotaBytes })
}

/** Writes `text`, of which `length` bytes are announced. */
export function put(drive: Drive, path: string, text: string, options: { replace?: boolean; length?: number } = {}) {
  return drive.write(path, Readable.from([Buffer.from(text)]), {
    length: options.length ?? Buffer.byteLength(text),
    replace: options.replace ?? true,
  })
}

/** The content of a file. */
export async function read(drive: Drive, path: string): Promise<string> {
  const file = await drive.open(path)
  const bytes = file.size > 0 ? await buffer(file.stream(0, file.size - 1)) : Buffer.alloc(0)
  await file.close()
  return bytes.toString()
}

/** `ok`, or the code of the refusal; anything else is a defect. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error instanceof HttpProblem) return error.code
    throw error
  }
}
