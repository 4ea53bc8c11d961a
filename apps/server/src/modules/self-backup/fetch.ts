import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../platform/operator-error.ts'
import { type Manifest, manifestFile, readManifest } from './manifest.ts'
import { askRestic, type ResticRepository } from './restic.ts'

const snapshotName = /^(latest|[0-9a-f]{8,64})$/

/**
 * Brings a snapshot's files to `folder`, which is made. restic puts them below the path they had on the old machine;
 * here they are at the top.
 */
export async function fetchSnapshot(
  from: ResticRepository,
  { snapshot, folder }: { snapshot: string; folder: string },
): Promise<Manifest> {
  if (!snapshotName.test(snapshot)) throw new OperatorError(`"${snapshot}" is no id of a snapshot, nor "latest".`)
  const whole = `${folder}.fetched`
  await mkdir(whole, { recursive: true, mode: 0o700 })
  try {
    await askRestic(from, ['restore', snapshot, '--tag', 'atoll-self', '--host', 'atoll', '--target', whole])
    let top = whole
    while (!existsSync(join(top, manifestFile))) {
      const [only, ...others] = await readdir(top, { withFileTypes: true })
      // A dump alone is a file.
      if (!only?.isDirectory() || others.length > 0)
        throw new OperatorError('This snapshot is no backup of a deployment.')
      top = join(top, only.name)
    }
    await rename(top, folder)
  } finally {
    await rm(whole, { recursive: true, force: true })
  }
  return await readManifest(folder)
}
