/**
 * Puts a tree in the place of another. No file system that Node reaches does that in one act: the old one is set aside
 * first, and between the two renames neither lies there. A note beside it says where it was, so that the next start
 * after a kill puts it back.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { hasErrorCode, syncFolder, writeFileAtomic } from '../kernel/atomic-file.ts'
import { readJsonFile } from '../kernel/home.ts'
import { findStats } from './drive-entry.ts'
import { asProblem } from './drive-problems.ts'

/** `names`: of what was set aside, from the root of the drive. */
const Note = z.object({ names: z.array(z.string()) })
const noteOf = (aside: string) => `${aside}.note`

interface Place {
  root: string
  names: readonly string[]
}

/** `aside`: a free place outside the drive for the old tree, which comes back when the new one cannot come. */
export async function replaceTree(place: string, { root, names }: Place, aside: string): Promise<void> {
  const target = join(root, ...names)
  await setAside({ root, names }, aside).catch(asProblem)
  await rename(place, target).catch(async (error: unknown) => {
    await rename(aside, target)
    await rm(noteOf(aside))
    return asProblem(error)
  })
  await syncFolder(dirname(target))
  await rm(noteOf(aside))
}

/** Half of `replaceTree`, as far as a kill may get. */
export async function setAside({ root, names }: Place, aside: string): Promise<void> {
  await writeFileAtomic(noteOf(aside), JSON.stringify({ names }))
  await rename(join(root, ...names), aside)
}

/** At a start, before what is left of the last run is removed from `uploads`. */
export async function putBackSetAside({ root, uploads }: { root: string; uploads: string }): Promise<void> {
  for (const name of await readdir(uploads)) {
    const aside = join(uploads, name.replace(/\.note$/, ''))
    const note = noteOf(aside) === join(uploads, name) ? await readJsonFile(noteOf(aside), Note) : undefined
    if (!note || !(await findStats(aside))) continue
    const target = join(root, ...note.names)
    if (await findStats(target)) continue
    const place = await placeFor(target, join(root, `Put back ${name.replace(/\.note$/, '')}`))
    await rename(aside, place)
    await syncFolder(dirname(place))
  }
}

/** `target`, whose folder is made again where it is gone; `instead` where a file has taken that folder's place. */
async function placeFor(target: string, instead: string): Promise<string> {
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    return target
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST', 'ENOTDIR')) return instead
    throw error
  }
}
