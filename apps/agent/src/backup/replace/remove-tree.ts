import { chmod, readdir, rm } from 'node:fs/promises'
import { hasErrorCode } from '../../kernel/atomic-file.ts'
import { placeOf } from '../repository/find-entry.ts'

/**
 * Removes all of `path`, also folders that were restored with a mode in which not even their owner may take anything
 * out of them.
 */
export async function removeTree(path: string | Buffer): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error
    await openFolders(path)
    await rm(path, { recursive: true, force: true })
  }
}

async function openFolders(path: string | Buffer): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) await openFolders(placeOf(path, [entry.name]))
}
