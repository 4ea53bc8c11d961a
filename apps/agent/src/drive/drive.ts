/**
 * The owner's files. A visible file is always whole: an upload is written beside the drive, synced, and renamed into
 * place; a deletion is renamed out and then removed. A kill at any instant leaves the old or the new, and a rest in
 * `uploads` that the next start removes. Changes of names take turns (`inTurn`), so a check and the rename after it are
 * one act; this process is the only writer (`kernel/lock.ts`).
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { DriveEntry, DriveListing, DriveSearch } from '@atoll/contract/personal-server'
import { syncFolder } from '../kernel/atomic-file.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { createTurns } from '../kernel/turns.ts'
import { copyTree } from './copy-tree.ts'
import { findLooked, findStats, type Looked } from './drive-entry.ts'
import { type DriveFile, openDriveFile } from './drive-file.ts'
import { type ListPage, listFolder, lookInto } from './drive-list.ts'
import { checkReach, formatDrivePath, isWithin, parseDrivePath, parseFilePath } from './drive-path.ts'
import { asProblem, diskFull, notFound, storageLimit } from './drive-problems.ts'
import { type SearchOptions, searchFolder } from './drive-search.ts'
import { createDriveSpace, type DriveSpace, measureTree } from './drive-space.ts'
import { type FileStamp, findStamp } from './file-stamp.ts'
import { createPlaces } from './places.ts'
import { receiveBody } from './receive-body.ts'
import { replaceTree } from './set-aside.ts'

/** Throws to refuse a change of what is at a path; undefined: nothing is. */
export type Check = (present: FileStamp | undefined) => void

export interface WriteOptions {
  /** The length that the body promises, bytes; undefined without one. */
  length: number | undefined
  replace: boolean
  /** Asked before the body is read, and once more in the very act of replacing. */
  check?: Check
  /** When the file was changed last, as its writer says; default: now. */
  modifiedAt?: Date | undefined
  /** Called when nothing speaks against it, before the body is read. */
  onAccepted?: () => void
}

export interface Written {
  entry: DriveEntry
  isNew: boolean
  stamp: FileStamp
}

export interface Placed {
  entry: DriveEntry
  isNew: boolean
}

export interface Drive {
  space: DriveSpace
  list(path: string, page?: ListPage): Promise<DriveListing>
  /** The entries below the folder `path` that match by name (`drive-search.ts`); 404 notFound, 409 notAFolder. */
  search(path: string, query: string, options?: SearchOptions): Promise<DriveSearch>
  /**
   * Makes or replaces the file at `path` with all of `body`. Refuses with 507 diskFull before reading when it cannot
   * fit, and while reading when it turns out so, or 507 storageLimit for a new one while the plan has no room; 412
   * exists unless `replace`; 404 without the folder; 409 notAFile over one.
   */
  write(path: string, body: Readable, options: WriteOptions): Promise<Written>
  /** Refuses what `write` would before it reads a body. */
  prepare(path: string, options: Pick<WriteOptions, 'replace' | 'check'>): Promise<void>
  /** As `write`, of the whole file at `place`, which lies on the same file system and has its room. */
  adopt(place: string, path: string, options: Pick<WriteOptions, 'replace' | 'check' | 'modifiedAt'>): Promise<Written>
  /** Opens a file for reading; 404 notFound, 409 notAFile. */
  open(path: string): Promise<DriveFile>
  makeFolder(path: string): Promise<DriveEntry>
  /** `check`: of what is at `from`. 409 exists unless `replace`. */
  move(from: string, to: string, options?: { check?: Check; replace?: boolean }): Promise<Placed>
  /**
   * All or nothing, as `write`; `shallow`: of a folder only itself; `check`: of what is at `from`. 409 exists unless
   * `replace`, 507 storageLimit whatever it replaces.
   */
  copy(from: string, to: string, options?: { check?: Check; replace?: boolean; shallow?: boolean }): Promise<Placed>
  /** The file or folder at `path`; 404 notFound. */
  look(path: string): Promise<Looked>
  /** Everything in the folder at `path`, some at a time and in no order. */
  lookInto(path: string): AsyncIterable<Looked[]>
  /** The name goes at once; resolves when the bytes are gone too. */
  remove(path: string, check?: Check): Promise<void>
  /**
   * For who puts whole trees in place by renames: `act` has the drive to itself among changes of names, and resolves
   * with by how many bytes the files grew (negative: shrank).
   */
  rearrange(act: () => Promise<number>): Promise<void>
}

/** Opens the drive in the folder `root`, made when absent; `uploads` is a folder on the same file system. */
export async function openDrive(options: {
  root: string
  uploads: string
  quotaBytes?: number | undefined
  /** Whether the owner's plan has no room left: new files are refused then, and what is there stays usable. */
  isStopped?: () => boolean
}): Promise<Drive> {
  const { root, uploads, isStopped = () => false } = options
  await mkdir(root, { recursive: true, mode: 0o700 })
  const space = createDriveSpace(root, options.quotaBytes)
  const inTurn = createTurns(1)
  const { locate, getEntry, getFolder } = createPlaces(root)

  /** A free place outside the drive, for what is not in it yet or has been taken out. */
  const newPlace = () => join(uploads, randomBytes(12).toString('hex'))

  async function list(path: string, page?: ListPage): Promise<DriveListing> {
    const names = parseDrivePath(path)
    const listed = await listFolder(await getFolder(names), page)
    const [usedBytes, freeBytes] = await Promise.all([space.usedBytes(), space.freeBytes()])
    return { path: formatDrivePath(names), ...listed, usedBytes, freeBytes }
  }

  async function search(path: string, query: string, options: SearchOptions = {}): Promise<DriveSearch> {
    const names = parseDrivePath(path)
    const place = await getFolder(names)
    return { path: formatDrivePath(names), ...(await searchFolder({ ...options, place, names, query })) }
  }

  async function write(path: string, body: Readable, options: WriteOptions): Promise<Written> {
    const { length, onAccepted } = options
    await prepare(path, options)
    const claim = space.openClaim()
    const temporary = newPlace()
    try {
      if (length !== undefined && !(await claim.take(length))) throw diskFull()
      onAccepted?.()
      await receiveBody(body, temporary, claim, length !== undefined)
      return await adopt(temporary, path, options)
    } catch (error) {
      return asProblem(error)
    } finally {
      claim.release()
      await rm(temporary, { force: true })
    }
  }

  async function prepare(path: string, options: Pick<WriteOptions, 'replace' | 'check'>): Promise<void> {
    if ((await checkTarget(parseFilePath(path), options)) === undefined) requireRoomForNew()
  }

  async function adopt(place: string, path: string, options: Parameters<Drive['adopt']>[2]): Promise<Written> {
    const { modifiedAt } = options
    if (modifiedAt) await utimes(place, modifiedAt, modifiedAt)
    return await inTurn(() => putInPlace(place, parseFilePath(path), options))
  }

  /** The size of the file that would be replaced; undefined when the name is free. */
  async function checkTarget(
    names: readonly string[],
    { replace, check }: Pick<WriteOptions, 'replace' | 'check'>,
  ): Promise<number | undefined> {
    const place = await locate(names)
    if (names.length > 1 && !(await findStats(dirname(place)))?.isDirectory()) throw notFound(names)
    const stats = await findStats(place)
    if (stats && !stats.isFile()) throw new HttpProblem(409, 'notAFile', `${formatDrivePath(names)} is a folder.`)
    if (stats && !replace) throw new HttpProblem(412, 'exists', `${formatDrivePath(names)} exists.`)
    check?.(stats && (await findStamp(place)))
    return stats?.size
  }

  async function putInPlace(
    temporary: string,
    names: readonly string[],
    options: Parameters<Drive['adopt']>[2],
  ): Promise<Written> {
    await space.usedBytes() // see DriveSpace.add
    const replaced = await checkTarget(names, options)
    const place = join(root, ...names)
    await rename(temporary, place)
    await syncFolder(dirname(place))
    const [{ entry }, stamp] = await Promise.all([getEntry(names), findStamp(place)])
    if (!stamp) throw notFound(names)
    space.add(entry.size - (replaced ?? 0))
    return { entry, isNew: replaced === undefined, stamp }
  }

  async function openFile(path: string): Promise<DriveFile> {
    const names = parseFilePath(path)
    const { place, entry } = await getEntry(names)
    if (entry.kind !== 'file') throw new HttpProblem(409, 'notAFile', `${formatDrivePath(names)} is a folder.`)
    return await openDriveFile(place, entry.name)
  }

  async function makeFolder(path: string): Promise<DriveEntry> {
    const names = parseFilePath(path)
    return await inTurn(async () => {
      const place = await locate(names)
      await checkFree(names, place)
      await mkdir(place, { mode: 0o700 }).catch(asProblem)
      await syncFolder(dirname(place))
      return (await getEntry(names)).entry
    })
  }

  async function move(
    from: string,
    to: string,
    { check, replace = false }: { check?: Check; replace?: boolean } = {},
  ): Promise<Placed> {
    const [source, target] = [parseFilePath(from), parseFilePath(to)]
    const rubbish = newPlace()
    const placed = await inTurn(async () => {
      const { place, entry } = await getEntry(source)
      check?.(await findStamp(place))
      if (formatDrivePath(source) === formatDrivePath(target)) return { entry, isNew: false }
      await checkFit(source, target, place)
      return await renameTo(place, target, { replace, rubbish })
    })
    await discard(rubbish)
    return placed
  }

  async function copy(
    from: string,
    to: string,
    { check, replace = false, shallow = false }: { check?: Check; replace?: boolean; shallow?: boolean } = {},
  ): Promise<Placed> {
    const [source, target] = [parseFilePath(from), parseFilePath(to)]
    const { place } = await getEntry(source)
    check?.(await findStamp(place))
    await checkFit(source, target, place)
    const targetPlace = await locate(target)
    if (!replace) await checkFree(target, targetPlace)
    requireRoomForNew()
    const claim = space.openClaim()
    const [temporary, rubbish] = [newPlace(), newPlace()]
    try {
      if (!(await claim.take(shallow ? 0 : (await measureTree(place)).bytes))) throw diskFull()
      await copyTree(place, temporary, shallow)
      if (!(await findStats(temporary))) throw notFound(source)
      const { bytes } = await measureTree(temporary)
      return await inTurn(async () => {
        check?.(await findStamp(place))
        const placed = await renameTo(temporary, target, { replace, rubbish })
        space.add(bytes)
        return placed
      })
    } catch (error) {
      return asProblem(error)
    } finally {
      claim.release()
      await rm(temporary, { recursive: true, force: true })
      await discard(rubbish)
    }
  }

  async function checkFree(names: readonly string[], place: string): Promise<void> {
    if (await findStats(place)) throw new HttpProblem(409, 'exists', `${formatDrivePath(names)} exists.`)
  }

  /** Refuses when one of the two lies in the other, or when something would lie too deep. */
  async function checkFit(source: readonly string[], target: readonly string[], place: string): Promise<void> {
    if (isWithin(target, source) || isWithin(source, target))
      throw new HttpProblem(409, 'intoItself', 'A folder cannot be moved into itself.')
    await checkReachBelow(place, target)
  }

  /**
   * The last step of a move and of a copy. A file replaces another file in one act; anything else that is replaced goes
   * to `rubbish` first, and comes back when the step fails, or at the next start after a kill.
   */
  async function renameTo(
    place: string,
    target: readonly string[],
    { replace, rubbish }: { replace: boolean; rubbish: string },
  ): Promise<Placed> {
    await space.usedBytes() // see DriveSpace.add
    const targetPlace = await locate(target)
    if (!replace) await checkFree(target, targetPlace)
    const replaced = await findStats(targetPlace)
    const isInOneAct = replaced?.isFile() && (await findStats(place))?.isFile()
    if (replaced && !isInOneAct) await replaceTree(place, { root, names: target }, rubbish)
    else await rename(place, targetPlace).catch(asProblem)
    if (replaced && isInOneAct) space.add(-replaced.size)
    await syncFolder(dirname(targetPlace))
    return { entry: (await getEntry(target)).entry, isNew: !replaced }
  }

  /** Removes what was taken out of the drive, if anything lies there. */
  async function discard(rubbish: string): Promise<void> {
    const { bytes } = await measureTree(rubbish)
    await rm(rubbish, { recursive: true, force: true })
    if (bytes > 0) space.add(-bytes)
  }

  async function look(path: string): Promise<Looked> {
    const names = parseDrivePath(path)
    const looked = await findLooked(await locate(names), names.at(-1) ?? '')
    if (!looked) throw notFound(names)
    return looked
  }

  /**
   * Refuses when something in the folder at `place` could not be reached any more as `names`: past PATH_MAX not even
   * we could measure or remove it, and the drive as a whole would be stuck.
   */
  async function checkReachBelow(place: string, names: readonly string[]): Promise<void> {
    checkReach(names)
    if (!(await findStats(place))?.isDirectory()) return
    for (const name of await readdir(place)) await checkReachBelow(join(place, name), [...names, name])
  }

  async function remove(path: string, check?: Check): Promise<void> {
    const names = parseFilePath(path)
    const rubbish = newPlace()
    await inTurn(async () => {
      await space.usedBytes() // see DriveSpace.add
      const { place } = await getEntry(names)
      check?.(await findStamp(place))
      await rename(place, rubbish)
      await syncFolder(dirname(place))
    })
    await discard(rubbish)
  }

  function requireRoomForNew(): void {
    if (isStopped()) throw storageLimit()
  }

  async function rearrange(act: () => Promise<number>): Promise<void> {
    await inTurn(async () => {
      await space.usedBytes() // see DriveSpace.add
      space.add(await act())
    })
  }

  return {
    space,
    list,
    search,
    write,
    prepare,
    adopt,
    open: openFile,
    makeFolder,
    move,
    copy,
    remove,
    rearrange,
    look,
    async *lookInto(path) {
      yield* lookInto(await getFolder(parseDrivePath(path)))
    },
  }
}
