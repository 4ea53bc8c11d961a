/**
 * Puts what was restored into the drive by renames, and never over anything: what is there keeps its name, or, to be
 * replaced, is given another first. Killed in between, the drive has all it had, under one name or the other.
 */
import { link, lstat, mkdir, rename } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Drive } from '../../drive/drive.ts'
import { checkReach } from '../../drive/drive-path.ts'
import { measureTree } from '../../drive/drive-space.ts'
import { syncFolder } from '../../kernel/atomic-file.ts'
import { HttpProblem } from '../../kernel/problem.ts'
import { bytesOfText, readableOf } from '../repository/byte-names.ts'
import { findEntry, placeOf } from '../repository/find-entry.ts'
import { formatSnapshotPath } from './snapshot-path.ts'

export interface Placing {
  root: string
  /** On the drive's file system. */
  fresh: Buffer
  /** Where it belongs; names as `byte-names.ts` writes them. */
  names: readonly string[]
  /** Its name beside what is there. */
  besideName: string
  /** Name of what is there once it is replaced; undefined: it is not. */
  keptName: string | undefined
}

export interface Placed {
  path: string
  /** Where what was there is now; null: it is where it was, or nothing was there. */
  kept: string | null
}

export async function putInPlace(drive: Pick<Drive, 'rearrange'>, placing: Placing): Promise<Placed> {
  const { root, fresh, names, besideName, keptName } = placing
  const { bytes } = await measureTree(fresh)
  const folder = names.slice(0, -1)
  let placed: Placed | undefined
  await drive.rearrange(async () => {
    await makeFolders(root, folder)
    const there = await findEntry(root, names.map(bytesOfText))
    if (!there) placed = { path: await move(names), kept: null }
    else if (keptName === undefined)
      placed = { path: await move(await freeNames(root, folder, besideName)), kept: null }
    else {
      const kept = await freeNames(root, folder, keptName)
      const [place, aside] = [placeIn(root, names), placeIn(root, kept)]
      // Of a file the new name is there before the old one changes hands; of a folder there can be but one.
      const isSwapped = there.isFile() && !(await lstat(fresh)).isDirectory()
      await (isSwapped ? link(place, aside) : rename(place, aside))
      placed = { path: await move(names), kept: formatSnapshotPath(kept) }
    }
    return bytes
  })
  if (!placed) throw new Error('the drive took what was restored and says not where')
  return placed

  async function move(to: readonly string[]): Promise<string> {
    await rename(fresh, placeIn(root, to))
    await syncFolder(placeIn(root, to.slice(0, -1)))
    return formatSnapshotPath(to)
  }
}

function placeIn(root: string, names: readonly string[]): Buffer {
  return placeOf(root, names.map(bytesOfText))
}

/** 409 notAFolder when a file, or a link, lies on the way. */
async function makeFolders(root: string, names: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= names.length; depth += 1) {
    const part = names.slice(0, depth)
    const entry = await findEntry(root, part.map(bytesOfText))
    if (entry && !entry.isDirectory())
      throw new HttpProblem(409, 'notAFolder', `${readableOf(formatSnapshotPath(part))} is no folder.`)
    if (!entry) await mkdir(placeIn(root, part), { mode: 0o700 })
  }
}

/** `name` in the folder, or with the first number that is free: `a (2).txt`. */
async function freeNames(root: string, folder: readonly string[], name: string): Promise<string[]> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 2, names = [...folder, name]; ; names = [...folder, `${stem} (${number++})${extension}`]) {
    checkReach(names)
    if (!(await findEntry(root, names.map(bytesOfText)))) return names
  }
}
