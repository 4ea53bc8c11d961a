/** Copies a file or a folder of the drive. */
import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { findStats } from './drive-entry.ts'

/**
 * Copies what lies at `from` to `to`, where nothing lies, times of change included; `shallow`: of a folder nothing in
 * it. Links are left out, as everywhere in the drive.
 */
export async function copyTree(from: string, to: string, shallow: boolean): Promise<void> {
  const stats = await findStats(from)
  if (!stats) return
  if (stats.isDirectory()) {
    await mkdir(to, { mode: 0o700 })
    if (shallow) return
    for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name), false)
  } else {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const copy = await open(to, 'r+')
    try {
      await copy.datasync()
    } finally {
      await copy.close()
    }
  }
  await utimes(to, stats.atime, stats.mtime)
}
