import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { findStats } from '../drive/drive-entry.ts'
import { hasErrorCode } from '../home/atomic-file.ts'

/** What lies at `names` below `root`, a link too; undefined for nothing, and for what is reached through a link. */
export async function findEntry(root: string, names: readonly string[]): Promise<Stats | undefined> {
  let place = root
  for (const name of names.slice(0, -1)) {
    place = join(place, name)
    if (!(await findStats(place))?.isDirectory()) return undefined
  }
  try {
    return await lstat(join(root, ...names))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
