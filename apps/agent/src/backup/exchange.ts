/**
 * Exchanges the drive's files for restored ones, by renames that may be cut off anywhere. The old files go into a
 * folder of the drive, and only those that a snapshot holds unchanged are removed from it. States, in
 * `backup/exchange.json`, which only this file writes:
 *   none     nothing was begun, or its task has been forgotten: files in `restored/` are rubbish
 *   begun    every rename is written down; the next start goes through them again, and those done change nothing
 *   undoing  an entry could not be moved: the moved ones go back, and then there is none
 *   done     the drive is whole; kept so that the same task, run again, reports its end instead of restoring again
 * In each place the old entry first goes aside, then the new one comes; once all have, the old ones are sorted.
 */
import { type BigIntStats, lstatSync } from 'node:fs'
import { chmod, lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RestoreResult } from '@atoll/contract/agents'
import { z } from 'zod'
import { measureTree } from '../drive/drive-space.ts'
import { hasErrorCode, syncFolder, writeFileAtomic } from '../kernel/atomic-file.ts'
import { readJsonFile } from '../kernel/home.ts'
import { type HeldEntries, isHeld, readHeld, writeHeld } from './replace/held-entries.ts'
import { removeHeld } from './replace/old-tree.ts'
import { removeTree } from './replace/remove-tree.ts'
import { placeOf } from './repository/find-entry.ts'
import { BackupProblem } from './repository/restic-failure.ts'

const Exchange = z.object({
  taskId: z.string(),
  state: z.enum(['begun', 'undoing', 'done']),
  /** Each the names below the drive's folder, none for the drive itself; the new tree has them all, none in another. */
  places: z.array(z.array(z.string())),
  /** The folder of the drive that the old goes into; null: nothing of it is anybody's, and it is removed. */
  aside: z.string().nullable().default(null),
  /** Of `places`, those that were one file which a snapshot holds: their move changes their stamp. */
  heldFiles: z.array(z.int()).default([]),
  result: RestoreResult,
})
export type Exchange = z.infer<typeof Exchange>
/** `held`: what a snapshot holds of the drive; undefined: none was taken, so all that was there is kept. */
export type NewExchange = Omit<Exchange, 'state' | 'heldFiles'> & {
  held: HeldEntries | undefined
  /** Of the new tree, paths that could not be restored (bytes as latin1): there the old stays. */
  lost: readonly string[]
}

export interface ExchangeFolders {
  journal: string
  drive: string
  /** `new/`: restored files, laid out as the drive; `old/`: unsorted ones; `held`: entries of the snapshot; `lost`. */
  restored: string
}

/** Goes on with what was cut off, and removes the rest. Nobody else may change the drive meanwhile. */
export async function resumeExchange(folders: ExchangeFolders): Promise<void> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  if (exchange?.state === 'begun') await carryOut(folders, exchange)
  if (exchange?.state === 'undoing') await undo(folders, exchange)
  await removeTree(folders.restored)
}

/** The end of the exchange that `taskId` had; undefined when it had none. */
export async function findExchanged(folders: ExchangeFolders, taskId: string): Promise<RestoreResult | undefined> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  return exchange?.taskId === taskId && exchange.state === 'done' ? exchange.result : undefined
}

/** The end of the exchange that made what was restored the whole drive; undefined when the last one was another. */
export async function findDriveExchanged(folders: ExchangeFolders): Promise<RestoreResult | undefined> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  const isWhole = exchange?.places.some((names) => names.length === 0)
  return isWhole && exchange?.state === 'done' ? exchange.result : undefined
}

/**
 * Gives its result, with what was kept of the old. Throws `BackupProblem` when a place cannot be moved: then the drive
 * is as it was. `step` carries out each change of the disk; a test cuts there.
 */
export async function beginExchange(
  folders: ExchangeFolders,
  { held, lost, ...exchange }: NewExchange,
  step = atOnce,
): Promise<RestoreResult> {
  if (lost.length > 0) await writeFileAtomic(join(folders.restored, 'lost'), JSON.stringify(lost))
  if (held) await writeHeld(heldFile(folders), held)
  const heldFiles = exchange.places.flatMap((names, at) => {
    const stats = statsAt(join(folders.drive, ...names))
    return held && stats && !stats.isDirectory() && isHeld(held, latin1(names.join('/')), stats) ? [at] : []
  })
  const begun = { ...exchange, heldFiles, state: 'begun' } as const
  await writeFileAtomic(folders.journal, JSON.stringify(begun))
  return await carryOut(folders, begun, step)
}

const heldFile = ({ restored }: ExchangeFolders) => join(restored, 'held')
const latin1 = (text: string) => Buffer.from(text).toString('latin1')

/** Where the old of a place goes: of the whole drive into the new one, before that becomes the drive. */
function asideOf({ drive, restored }: ExchangeFolders, { aside, places }: Exchange, at: number, isIn: boolean): string {
  const names = places[at] ?? []
  if (aside === null) return join(restored, 'old', String(at))
  if (names.length === 0 && !isIn) return join(restored, 'new', aside)
  return join(drive, aside, ...names)
}

async function carryOut(folders: ExchangeFolders, exchange: Exchange, step = atOnce): Promise<RestoreResult> {
  const { journal, drive, restored } = folders
  const { aside, places, heldFiles } = exchange
  for (const [at, names] of places.entries()) {
    const [place, fresh] = [join(drive, ...names), join(restored, 'new', ...names)]
    // Gone from there: it is in its place since an earlier try.
    if (!(await exists(fresh))) continue
    const old = asideOf(folders, exchange, at, false)
    try {
      if (!(await exists(old)) && (await exists(place))) {
        await mkdir(dirname(old), { recursive: true, mode: 0o700 })
        await step(() => renameShut(place, old))
        await syncFolder(dirname(old))
      }
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await step(() => renameShut(fresh, place))
      await syncFolder(dirname(place))
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      await writeFileAtomic(journal, JSON.stringify({ ...exchange, state: 'undoing' }))
      await undo(folders, exchange)
      const code = 'code' in error ? String(error.code) : error.name
      throw new BackupProblem('not_moved', `/${names.join('/')} could not be moved (${code}), so nothing was replaced.`)
    }
  }
  const lost = (await readJsonFile(join(restored, 'lost'), z.array(z.string()))) ?? []
  for (const [at, names] of places.entries())
    for (const path of lost)
      await step(() => stayAsItWas(folders, { path, names, old: asideOf(folders, exchange, at, true) }))
  const held = aside === null ? undefined : await readHeld(heldFile(folders))
  const kept = aside === null ? null : join(drive, aside)
  if (held)
    for (const [at, names] of places.entries()) {
      const old = asideOf(folders, exchange, at, true)
      await step(() => removeHeld(old, names, { held, isHeldItself: heldFiles.includes(at) }))
    }
  if (kept !== null) await step(() => removeEmpty(kept, places))
  const isKept = kept !== null && aside !== null && (await exists(kept))
  const result = {
    ...exchange.result,
    ...(isKept && { kept: { folder: aside, files: (await measureTree(kept)).files, isWhole: held === undefined } }),
  }
  await step(() => writeFileAtomic(journal, JSON.stringify({ ...exchange, result, state: 'done' })))
  return result
}

/** Everything back to where it was; each rename that is done already changes nothing. */
async function undo(folders: ExchangeFolders, exchange: Exchange): Promise<void> {
  const { journal, drive, restored } = folders
  for (const [at, names] of [...exchange.places.entries()].reverse()) {
    const [place, fresh] = [join(drive, ...names), join(restored, 'new', ...names)]
    if (!(await exists(fresh))) {
      await mkdir(dirname(fresh), { recursive: true, mode: 0o700 })
      await renameShut(place, fresh)
    }
    const old = asideOf(folders, exchange, at, false)
    if (await exists(old)) await renameShut(old, place)
    await syncFolder(dirname(place))
  }
  if (exchange.aside !== null) await removeEmpty(join(drive, exchange.aside), exchange.places)
  await rm(journal, { force: true })
  await syncFolder(dirname(journal))
}

/** The old entry at `path`, where the new one could not be restored; what has no place there stays with the old. */
async function stayAsItWas(
  { drive }: ExchangeFolders,
  { path, names, old }: { path: string; names: readonly string[]; old: string },
): Promise<void> {
  const above = latin1(names.map((name) => `${name}/`).join(''))
  if (!path.startsWith(above)) return
  const [from, to] = [
    placeOf(old, [Buffer.from(path.slice(above.length), 'latin1')]),
    placeOf(drive, [Buffer.from(path, 'latin1')]),
  ]
  try {
    const parent = to.subarray(0, to.lastIndexOf('/'))
    await mkdir(parent, { recursive: true, mode: 0o700 })
    await rename(from, to)
    await syncFolder(parent)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENOTEMPTY', 'EEXIST', 'EISDIR')) throw error
  }
}

/** The folders that were made to hold the places, where nothing is left in them. */
async function removeEmpty(kept: string, places: readonly (readonly string[])[]): Promise<void> {
  const folders = places.flatMap((names) => names.map((_, depth) => join(kept, ...names.slice(0, depth))))
  const deepestFirst = [...new Set([...folders, kept])].sort((a, b) => b.length - a.length)
  for (const folder of deepestFirst)
    await rmdir(folder).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    })
}

/** A folder that its owner may not write to cannot get another parent until they may. */
async function renameShut(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    const stats = statsAt(from)
    if (!hasErrorCode(error, 'EACCES') || !stats?.isDirectory()) throw error
    const mode = Number(stats.mode & 0o7777n)
    await chmod(from, mode | 0o200)
    let place = from
    try {
      await rename(from, to)
      place = to
    } finally {
      await chmod(place, mode)
    }
  }
}

async function atOnce(act: () => Promise<void>): Promise<void> {
  await act()
}

function statsAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
      return false
    },
  )
}
