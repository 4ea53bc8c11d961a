/**
 * Restores a deployment from its own backup into an empty data folder. The database is put in its place last, so an
 * interrupted restore is not a deployment: run again, it starts over.
 */
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { erasedFileName, noteErased, readErased } from '../../platform/careful/index.ts'
import { ensureDataFolder } from '../../platform/data-folder/data-folder.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { fetchSnapshot } from './fetch.ts'
import type { Manifest } from './manifest.ts'
import { bringErased, fetchedName } from './newest-erased.ts'
import type { ResticRepository } from './restic.ts'

export interface RestoreOptions {
  from: ResticRepository
  snapshot: string
  dataDir: string
  /** Folder with the homes of instances of `process`, those of the lost deployment; undefined: there are none. */
  instances: string | undefined
  /** Whether a process of this machine runs in that folder. */
  isInUse(path: string): boolean
}

/** Files that an interrupted restore leaves; anything else belongs to somebody else. */
const ownNames = new Set([
  erasedFileName,
  fetchedName,
  'restoring',
  'restoring.fetched',
  'instances',
  'folder-id',
  'deployment.json',
])

export async function restoreSelf(options: RestoreOptions): Promise<Manifest> {
  const { from, snapshot, dataDir } = options
  ensureDataFolder(dataDir)
  const strange = (await readdir(dataDir)).filter((name) => !ownNames.has(name))
  if (strange.length > 0) {
    throw new OperatorError(`${dataDir} is not empty (${strange[0]}). Name another one with ATOLL_DATA_DIR.`)
  }
  const folder = join(dataDir, 'restoring')
  await rm(folder, { recursive: true, force: true })
  const manifest = await fetchSnapshot(from, { snapshot, folder })
  if (options.instances !== undefined) await attachInstances(options, manifest, options.instances)
  for (const name of ['secret.key', 'outbox', 'catalog']) {
    if (existsSync(join(folder, name))) await rename(join(folder, name), join(dataDir, name))
  }
  // Beside those that this folder lists already.
  await noteErased(dataDir, ...(await readErased(folder)))
  await bringErased(from, dataDir)
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await rename(join(folder, 'database'), join(dataDir, 'postgres', 'data'))
  await rm(folder, { recursive: true, force: true })
  return manifest
}

/**
 * The homes, the folder's id and what shows how new it is. Without them the database's id is that of a folder which is
 * not at hand, and nothing is done with these instances.
 */
async function attachInstances(
  { dataDir, isInUse }: RestoreOptions,
  { folderId }: Manifest,
  given: string,
): Promise<void> {
  const from = existsSync(given) ? realpathSync(given) : given
  const homes = join(from, 'instances')
  if (!existsSync(homes)) {
    if (existsSync(join(dataDir, 'instances'))) return
    throw new OperatorError(`There is no folder "instances" in ${given}.`)
  }
  if (isInUse(from)) {
    throw new OperatorError(`Instances still run in ${given}. Stop them first: they would run twice.`)
  }
  const found = await readFile(join(from, 'folder-id'), 'utf8').catch(() => undefined)
  if (folderId === null || (found !== undefined && found.trim() !== folderId)) {
    throw new OperatorError(`The instances in ${given} are those of another deployment.`)
  }
  if (existsSync(join(from, 'deployment.json')))
    await cp(join(from, 'deployment.json'), join(dataDir, 'deployment.json'))
  await writeFile(join(dataDir, 'folder-id'), `${folderId}\n`, { mode: 0o644 })
  try {
    await rename(homes, join(dataDir, 'instances'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    throw new OperatorError(
      `${given} is on another disk than ${dataDir}. Copy it there first with cp -a, and name the copy.`,
      { cause: error },
    )
  }
}
