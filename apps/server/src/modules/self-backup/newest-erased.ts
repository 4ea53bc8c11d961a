import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { erasedFileName } from '../../platform/careful/index.ts'
import { askRestic, type ResticRepository } from './restic.ts'

/** The folder of one that is interrupted. */
export const fetchedName = 'restoring.erased'

/**
 * Adds the ids of erased accounts that the newest snapshot lists to those in `dataDir`: whichever snapshot is restored,
 * all that were erased until the last backup are erased again.
 */
export async function bringErased(from: ResticRepository, dataDir: string): Promise<void> {
  const folder = join(dataDir, fetchedName)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  try {
    const newest = ['restore', 'latest', '--tag', 'atoll-self', '--host', 'atoll']
    await askRestic(from, [...newest, '--include', erasedFileName, '--target', folder])
    const names = await readdir(folder, { recursive: true })
    for (const name of names.filter((each) => basename(each) === erasedFileName))
      await appendFile(join(dataDir, erasedFileName), `\n${await readFile(join(folder, name), 'utf8')}`, {
        mode: 0o600,
      })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
