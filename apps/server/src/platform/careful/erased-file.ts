/**
 * The ids of erased accounts, in a file outside of the database: a database that is restored from before knows them
 * alive, and erases them again before it goes on.
 */
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Line = z.object({ accountId: z.string(), at: z.iso.datetime() })

export const erasedFileName = 'erased.jsonl'

export interface Erased {
  accountId: string
  at: Date
}

/** Adds them, on the disk when it returns. Twice is as once. */
export async function noteErased(dataDir: string, ...erased: readonly Erased[]): Promise<void> {
  if (erased.length === 0) return
  const lines = erased.map(({ accountId, at }) => JSON.stringify({ accountId, at: at.toISOString() }))
  const file = await open(join(dataDir, erasedFileName), 'a', 0o600)
  try {
    // A line that a kill cut short ends here.
    await file.appendFile(`\n${lines.join('\n')}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** All of them; a line that a kill cut short is none, as what it was written for had not happened. */
export async function readErased(dataDir: string): Promise<Erased[]> {
  let text = ''
  try {
    text = await readFile(join(dataDir, erasedFileName), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const ids = new Map<string, Date>()
  for (const line of text.split('\n')) {
    const read = Line.safeParse(parsed(line))
    if (read.success) ids.set(read.data.accountId, new Date(read.data.at))
  }
  return [...ids].map(([accountId, at]) => ({ accountId, at }))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // it is not whole
  }
}
