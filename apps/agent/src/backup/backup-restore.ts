/**
 * Task `backup.restore`: a snapshot is restored beside the drive, as a whole, and only then put in place by renames
 * (`exchange.ts`). A failure or kill before that leaves the drive as it was. The old files are removed only where the
 * snapshot that was taken first holds them.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupProgress, RestoreParams, RestoreResult } from '@atoll/contract/agents'
import type { z } from 'zod'
import type { Drive } from '../drive/drive.ts'
import { isWithin } from '../drive/drive-path.ts'
import { measureTree } from '../drive/drive-space.ts'
import { readPath } from './backup-run.ts'
import {
  type ChosenFiles,
  includeOf,
  moveBeside,
  outermost,
  readChoice,
  sizeOfChosen,
  withoutNames,
} from './chosen-files.ts'
import { beginExchange, type ExchangeFolders, findExchanged, resumeExchange } from './exchange.ts'
import { type HeldEntries, listHeld } from './replace/held-entries.ts'
import { restoreSound } from './replace/restore-sound.ts'
import type { BackupKeys } from './repository/backup-keys.ts'
import { isOpen } from './repository/byte-names.ts'
import { findEntry } from './repository/find-entry.ts'
import { measureUntil } from './repository/measure-until.ts'
import { createPace } from './repository/pace.ts'
import type { Repository } from './repository/repository.ts'
import { BackupProblem } from './repository/restic-failure.ts'
import { progressOf, RestoreSize, readResticJson, readResticLine } from './repository/restic-output.ts'

/** One that brings back nothing more for so long is given up. ms */
const stallMs = 15 * 60_000

export interface RestoreOptions {
  repository: Repository
  taskId: string
  folders: ExchangeFolders
  drive: Pick<Drive, 'space' | 'rearrange'>
  params: Pick<z.output<typeof RestoreParams>, 'snapshotId' | 'target' | 'bytes' | 'choice'>
  keys: Pick<BackupKeys, 'open'>
  signal: AbortSignal
  progress(value: BackupProgress): void
  /** Told before the exchange which paths of the snapshot could not be read back. */
  noteUnread(paths: readonly string[]): Promise<void>
}

export async function runRestore(options: RestoreOptions): Promise<RestoreResult> {
  const { choice } = options.params
  if (choice === undefined) return await restore(options, undefined)
  try {
    return await restore(options, readChoice(await options.keys.open(choice)))
  } catch (error) {
    // Canceled, or the agent ends: that is no failure.
    throw options.signal.aborted ? error : withoutNames(error)
  }
}

/** `chosen`: these entries alone, as `byte-names.ts` writes their names. */
async function restore(options: RestoreOptions, choice: ChosenFiles | undefined): Promise<RestoreResult> {
  const { all: chosen, into } = choice ?? {}
  const { repository, taskId, folders, drive, params } = options
  const earlier = await findExchanged(folders, taskId)
  if (earlier) return earlier
  const carryOn = () => resumeExchange(folders).then(() => 0)
  const begunAt = performance.now()
  const { target } = params
  const places = await placesOf(folders.drive, target, choice)
  for (const names of places) await refuseLinks(folders.drive, into ? [...into, ...names.slice(-1)] : names)
  const size = chosen ? await sizeOfChosen(repository, params.snapshotId, chosen) : await sizeOf(repository, params)
  const claim = drive.space.openClaim()
  try {
    // Both copies are on the disk until the old one is gone.
    if (!(await claim.take(size))) throw new BackupProblem('no_room', `The drive has no room for ${size} bytes more.`)
    await drive.rearrange(carryOn)
    const fresh = join(folders.restored, 'new', ...(target.way === 'newFolder' ? (places[0] ?? []) : []))
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    const lost = await restoreInto(fresh, options, size, chosen)
    const { files, bytes } = await measureTree(fresh)
    claim.written(size)
    const held = target.way === 'replace' ? await findHeld(repository, target.safetyId) : undefined
    const came: string[][] = []
    // One that was not there at the backup, or cannot be read back at all, stays as it is.
    for (const names of places)
      if (!isLost(lost, names) && (await findEntry(join(folders.restored, 'new'), names))) came.push(names)
    if (lost.length > 0 && (came.length === 0 || files === 0))
      throw new BackupProblem('damaged', 'Nothing that the snapshot holds can be read.')
    if (came.length === 0)
      throw new BackupProblem('bad_path', `The snapshot holds no ${places.map(pathOf).join(', ')}.`)
    const durationMs = Math.round(performance.now() - begunAt)
    const folder = target.way === 'newFolder' ? (places[0]?.[0] ?? null) : null
    await options.noteUnread(lost.map((path) => `/${Buffer.from(path, 'latin1').toString()}`))
    const unread = lost.length > 0 ? { unreadFiles: lost.length } : {}
    let result: RestoreResult = { outcome: 'done', files, bytes, durationMs, folder, ...unread }
    await drive.rearrange(async () => {
      if (folder !== null && (await findEntry(folders.drive, [folder])))
        throw new BackupProblem('bad_path', `${folder} is in the drive since a moment ago.`)
      const name = `Before the restore of ${timeName(new Date())}`
      const aside = target.way === 'replace' ? await freeName([folders.drive, fresh], name) : null
      const taken = target.way === 'beside' ? await moveBeside(folders, came, into) : came
      const before = await measurePlaces(folders.drive, taken)
      result = await beginExchange(folders, {
        taskId,
        places: taken,
        aside,
        held,
        lost: target.way === 'replace' ? lost : [],
        result,
      })
      const isIn = aside === null || taken.some((names) => names.length === 0)
      return (await measurePlaces(folders.drive, isIn ? taken : [...taken, [aside]])) - before
    })
    return result
  } finally {
    claim.release()
    // The rest of a failed try, or what was replaced; an exchange that was cut off is carried to its end first.
    await drive.rearrange(carryOn)
  }
}

/** Where the drive gets what was restored; no names: all of it is the drive. None lies within another. */
async function placesOf(
  drive: string,
  target: RestoreOptions['params']['target'],
  choice: ChosenFiles | undefined,
): Promise<string[][]> {
  const { all: chosen, into } = choice ?? {}
  if (target.way === 'newCluster') return [[]]
  if (target.way === 'newFolder') return [[await freeName([drive], target.name)]]
  if (!chosen) return outermost((target.way === 'replace' ? target.paths : []).map(readPath))
  if (target.way !== 'beside' && into)
    throw new BackupProblem('bad_path', 'Another folder is no place where files replace others.')
  if (chosen.some((names) => names.some(isOpen)))
    throw new BackupProblem('bad_path', 'Names that are no UTF-8 are restored into a new folder alone.')
  return outermost(chosen)
}

/** Without a snapshot that says what it holds, nothing may be removed: all that was there is kept. */
async function findHeld(repository: Repository, safetyId: string | null | undefined): Promise<HeldEntries | undefined> {
  if (safetyId == null) return undefined
  try {
    return await listHeld(repository, safetyId)
  } catch (error) {
    if (!(error instanceof BackupProblem)) throw error
    return undefined
  }
}

const isLost = (lost: readonly string[], names: readonly string[]) =>
  lost.some((path) => isWithin(names, Buffer.from(path, 'latin1').toString().split('/')))

/** Bytes of all files; where the lists of files are damaged, as many as the run counted. */
async function sizeOf(repository: Repository, { snapshotId, bytes }: RestoreOptions['params']): Promise<number> {
  try {
    const said = await repository.read(['stats', '--json', '--mode', 'restore-size', snapshotId])
    const { total_size: size, snapshots_count } = readResticJson(said, RestoreSize)
    if (snapshots_count > 0) return size
  } catch (error) {
    if (!(error instanceof BackupProblem) || error.failure !== 'damaged' || bytes === undefined) throw error
    return bytes
  }
  throw new BackupProblem('no_snapshot', 'The repository holds no such snapshot.')
}

/** Gives what of it could not be read back, as `restoreSound` does. */
async function restoreInto(
  fresh: string,
  { repository, params, progress }: RestoreOptions,
  size: number,
  chosen: string[][] | undefined,
): Promise<string[]> {
  const { restoreSaysProgress: says, restoreOptions } = repository.differences
  const measuring = new AbortController()
  const stalling = new AbortController()
  let dueStall: NodeJS.Timeout | undefined
  const awaitMore = () => {
    clearTimeout(dueStall)
    const problem = new BackupProblem('unreachable', `Nothing more came back for ${stallMs / 60_000} minutes.`)
    dueStall = setTimeout(() => stalling.abort(problem), stallMs)
  }
  let most = -1
  const pace = createPace()
  const say = (counted: Parameters<typeof pace>[0]) => {
    const done = counted.bytesDone + counted.filesDone
    if (done > most) awaitMore()
    most = Math.max(most, done)
    progress(pace(counted))
  }
  awaitMore()
  const whenMeasured = says ? undefined : measureUntil(measuring.signal, fresh, size, say)
  try {
    const options = says ? ['--json'] : []
    return await restoreSound(repository, fresh, {
      args: [...restoreOptions, ...options, params.snapshotId],
      stop: stalling.signal,
      lastArgs: (chosen ?? []).map(includeOf),
      onLine(text) {
        const line = readResticLine(text)
        if (line?.message_type === 'status') say(progressOf(line))
      },
    })
  } finally {
    clearTimeout(dueStall)
    measuring.abort()
    await whenMeasured
  }
}

async function measurePlaces(drive: string, places: readonly string[][]): Promise<number> {
  let sum = 0
  for (const names of places) sum += (await measureTree(join(drive, ...names))).bytes
  return sum
}

/** Through a link, what is put in place would land outside the drive. */
async function refuseLinks(drive: string, names: readonly string[]): Promise<void> {
  for (let depth = 1; depth < names.length; depth += 1) {
    const entry = await findEntry(drive, names.slice(0, depth))
    if (entry && !entry.isDirectory())
      throw new BackupProblem('bad_path', `/${names.slice(0, depth).join('/')} is no folder of the drive.`)
  }
}

/** `wanted`, or the name for now, or that with the first number that is free in all of `folders`. */
async function freeName(folders: readonly string[], wanted = `Restored ${timeName(new Date())}`): Promise<string> {
  const [name, ...more] = readPath(`/${wanted}`)
  if (name === undefined || more.length > 0) throw new BackupProblem('bad_path', 'The new folder needs one name.')
  for (let number = 2, free = name; ; free = `${name} (${number++})`) {
    const taken = await Promise.all(folders.map((folder) => findEntry(folder, [free])))
    if (taken.every((entry) => entry === undefined)) return free
  }
}

const pathOf = (names: readonly string[]) => `/${names.join('/')}`

/** `2026-11-23 05.00`, in UTC; `:` is no character of a name on Windows. */
function timeName(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')
}
