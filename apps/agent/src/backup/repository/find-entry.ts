import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { findStats } from '../../drive/drive-entry.ts'
import { hasErrorCode } from '../../kernel/atomic-file.ts'

/** The entry at `names` below `root`, a link too; undefined without one, and for one that is reached through a link. */
export async function findEntry(root: string, names: readonly (string | Buffer)[]): Promise<Stats | undefined> {
  for (let depth = 1; depth < names.length; depth += 1)
    if (!(await findStats(placeOf(root, names.slice(0, depth))))?.isDirectory()) return undefined
  try {
    return await lstat(placeOf(root, names))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The path of `names` below `root`, which may be any bytes. */
export function placeOf(root: string | Buffer, names: readonly (string | Buffer)[]): Buffer {
  const slash = Buffer.from('/')
  return Buffer.concat([Buffer.from(root), ...names.flatMap((name) => [slash, Buffer.from(name)])])
}
