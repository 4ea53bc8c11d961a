/** Where names of the drive lie on the disk. Links are neither made nor followed: a path through one is not found. */
import { join } from 'node:path'
import type { DriveEntry } from '@atoll/contract/personal-server'
import { HttpProblem } from '../kernel/problem.ts'
import { entryOf, findStats } from './drive-entry.ts'
import { formatDrivePath } from './drive-path.ts'
import { notFound } from './drive-problems.ts'

/** The places below the folder `root`. */
export function createPlaces(root: string) {
  /** Where `names` lies on the disk; 404 when a folder on the way is missing, a file, or a link. */
  async function locate(names: readonly string[]): Promise<string> {
    let place = root
    for (const name of names.slice(0, -1)) {
      place = join(place, name)
      if (!(await findStats(place))?.isDirectory()) throw notFound(names)
    }
    return join(root, ...names)
  }

  async function getEntry(names: readonly string[]): Promise<{ place: string; entry: DriveEntry }> {
    const place = await locate(names)
    const stats = await findStats(place)
    if (!stats) throw notFound(names)
    return { place, entry: entryOf(names.at(-1) ?? '', stats) }
  }

  async function getFolder(names: readonly string[]): Promise<string> {
    const { place, entry } = await getEntry(names)
    if (entry.kind !== 'folder') throw new HttpProblem(409, 'notAFolder', `${formatDrivePath(names)} is a file.`)
    return place
  }

  return { locate, getEntry, getFolder }
}
