/**
 * Single files of the backups of this machine, for its owner. It only reads the repository and takes no lock, so it
 * waits for no task of lane `restic` and keeps none waiting. Each kind of work has places of its own: a download that
 * somebody lets hang for hours keeps nobody from browsing. Names of files go to the visitor and restic, nowhere else.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { keyFingerprint, type LookPage, passwordForms } from '@atoll/contract/backups'
import type { BackupsKept, PutBack, PutBackOrder, SnapshotListing } from '@atoll/contract/personal-server-backups'
import type { z } from 'zod'
import type { Drive } from '../../drive/drive.ts'
import { createNameMatcher } from '../../drive/drive-search.ts'
import { HttpProblem } from '../../kernel/problem.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { BackupKeys } from '../repository/backup-keys.ts'
import { type BackupPlace, trimCache } from '../repository/backup-place.ts'
import { findBytes, isOpen, lossyOf, readableOf, textOfBytes } from '../repository/byte-names.ts'
import { type Repository, reachRepository } from '../repository/repository.ts'
import { BackupProblem } from '../repository/restic-failure.ts'
import type { Restic } from '../repository/restic-version.ts'
import type { UnreadFiles } from '../repository/unread-files.ts'
import type { BackupSource } from './backup-source.ts'
import { toHttpProblem } from './browse-problem.ts'
import { createFolderCache, mostEntries, type SnapshotFolder, sortEntries } from './folder-cache.ts'
import { createLooks, type LookAsked } from './look.ts'
import { readLsLine, type SnapshotEntry } from './ls-output.ts'
import { createPutBacks } from './put-back.ts'
import { bytesOfPath, formatSnapshotPath, parseSnapshotPath, type SnapshotRef } from './snapshot-path.ts'

/** Of the files in a folder that is downloaded as an archive; a larger one is put back, or fetched in parts. */
const mostZipBytes = 2 * 1024 ** 3
/** Entries of a page. */
const pageEntries = 200
const readsAtATime = 2
const downloadsAtATime = 3
/** A visitor waits at most this long for a vault that is away, ms. */
const patienceMs = 5000
/** The first byte of a file is there by then, or the vault is away: restic alone would try for 15 min. ms */
const firstByteMs = 60_000

export interface SnapshotDownload {
  name: string
  /** Bytes; undefined of a folder, which is packed on its way. */
  size: number | undefined
  /**
   * All of it, without ending `into`. Rejects with a problem; once bytes went out it is for the caller to cut the
   * answer off.
   */
  send(into: Writable, signal: AbortSignal): Promise<void>
}

export interface BackupFiles {
  list(): Promise<BackupsKept>
  /** A page of a folder, from `offset` on, of the names that have every word of `filter`; 404 notFound · backupGone. */
  listFolder(ref: SnapshotRef, path: string, page: { offset: number; filter: string }): Promise<SnapshotListing>
  /** A file as it is, a folder as a ZIP archive; 404, 409 notAFile for links and devices, 413 for large folders. */
  open(ref: SnapshotRef, path: string): Promise<SnapshotDownload>
  /** A page for the console: a folder's entries with their sizes, or entries found by name. As `listFolder`. */
  look(ref: SnapshotRef, query: LookAsked): Promise<LookPage>
  putBack(order: z.output<typeof PutBackOrder>): Promise<PutBack>
  showPutBack(id: string): PutBack
  /** Keeps the password of a backup if it is right; 403 wrongPassword. */
  unlock(backupId: string, password: string): Promise<void>
}

export interface BackupFilesOptions {
  source: BackupSource
  place: BackupPlace
  keys: BackupKeys
  unread: Pick<UnreadFiles, 'find'>
  drive: Drive
  folders: { root: string; uploads: string }
  /** Searches again where there was none. */
  findRestic(): Promise<Restic | undefined>
  /** Aborted when the agent stops. */
  signal: AbortSignal
  onDefect(error: unknown): void
  /** How long a look may go through a snapshot, ms; absent: 15 s. */
  walkMs?: number | undefined
}

export function createBackupFiles(options: BackupFilesOptions): BackupFiles {
  const { source, keys, unread, drive, folders, findRestic, signal: stopping } = options
  // The tasks' own folder is emptied before each task.
  const place = { ...options.place, tmp: join(options.place.folder, 'look') }
  const cache = createFolderCache()
  const inTurn = createTurns(readsAtATime)
  let downloads = 0

  /** A right that was kept may have been taken back: it is tried once more with a new one. */
  async function withRepository<Result>(
    { backupId, password, signal = stopping }: { backupId: string; password?: string; signal?: AbortSignal },
    act: (repository: Repository) => Promise<Result>,
  ): Promise<Result> {
    const restic = await findRestic()
    if (!restic) throw toHttpProblem(new BackupProblem('no_restic', ''))
    for (;;) {
      const { repository: target, isFresh } = await source.grant(backupId)
      try {
        await mkdir(place.tmp, { recursive: true, mode: 0o700 })
        const known = password ?? (await keys.find(backupId, undefined))
        return await act(await reachRepository({ restic, place, target, password: known, signal }))
      } catch (error) {
        const mayHelp = error instanceof BackupProblem && /\b40[13]\b/.test(error.message)
        if (mayHelp) source.drop(backupId)
        if (!mayHelp || isFresh) throw toHttpProblem(error)
      }
    }
  }

  async function readFolder(ref: SnapshotRef, names: readonly string[]): Promise<SnapshotFolder> {
    const lastArg = bytesOfPath(names)
    const path = lossyOf(formatSnapshotPath(names))
    const before = path === '/' ? '/' : `${path}/`
    return await cache.get(`${ref.backupId} ${ref.snapshotId} ${formatSnapshotPath(names)}`, () =>
      inTurn(() =>
        withRepository(ref, async (repository) => {
          const entries: SnapshotEntry[] = []
          let [hasSnapshot, isFolder, count] = [false, path === '/', 0]
          await repository.run(['ls', '--json', '--no-lock', ref.snapshotId], {
            patienceMs,
            lastArgs: [lastArg],
            onLine(text) {
              const said = readLsLine(text)
              if (said?.line === 'snapshot') hasSnapshot = true
              else if (said?.path === path) isFolder = said.entry.kind === 'folder'
              else if (said && said.path === before + said.entry.name) {
                count += 1
                if (count <= mostEntries) entries.push(said.entry)
              }
            },
          })
          if (!hasSnapshot) throw new BackupProblem('no_snapshot', 'The repository holds no such snapshot.')
          if (!isFolder) throw new HttpProblem(404, 'notFound', `The backup has no folder ${path}.`)
          if (entries.some(({ name }) => isOpen(name))) await nameByBytes(repository, ref.snapshotId, lastArg, entries)
          await trimCache(place)
          return { entries: sortEntries(entries), truncated: count > entries.length }
        }),
      ),
    )
  }

  /** In JSON bytes that are no UTF-8 are lost; as text restic prints them as they are. */
  async function nameByBytes(repository: Repository, snapshotId: string, folder: Buffer, entries: SnapshotEntry[]) {
    const parts: Buffer[] = []
    await repository.run(['ls', '--quiet', '--no-lock', snapshotId], {
      patienceMs,
      lastArgs: [folder],
      async takeOutput(output) {
        for await (const part of output) parts.push(part)
      },
    })
    // All but the whole snapshot begins with a line of itself.
    const isAll = folder.equals(Buffer.from('/'))
    const printed = Buffer.concat(parts).subarray(isAll ? 0 : folder.length + 1)
    const before = isAll ? folder : Buffer.concat([folder, Buffer.from('/')])
    const names = findBytes(
      printed,
      before,
      entries.map(({ name }) => name),
    )
    if (!names) throw new BackupProblem('failed', 'restic lists a folder in two ways.')
    for (const [at, entry] of entries.entries()) entry.name = textOfBytes(names[at] ?? Buffer.alloc(0))
  }

  async function find(ref: SnapshotRef, names: readonly string[]): Promise<SnapshotEntry> {
    const { entries } = await readFolder(ref, names.slice(0, -1))
    const entry = entries.find(({ name }) => name === names.at(-1))
    if (!entry) throw new HttpProblem(404, 'notFound', `The backup has no ${readableOf(formatSnapshotPath(names))}.`)
    return entry
  }

  async function send(
    ref: SnapshotRef & { names: readonly string[] },
    options: readonly string[],
    into: Writable,
    gone: AbortSignal,
  ): Promise<void> {
    if (downloads >= downloadsAtATime) throw new HttpProblem(503, 'busy', 'Other downloads from backups are under way.')
    downloads += 1
    let hasBegun = false
    try {
      await withRepository({ ...ref, signal: AbortSignal.any([stopping, gone]) }, async (repository) => {
        const stalling = new AbortController()
        const late = new BackupProblem('unreachable', 'Nothing of the file came.')
        const dueStall = setTimeout(() => stalling.abort(late), firstByteMs)
        try {
          await repository.run(['dump', '--no-lock', ...options, ref.snapshotId], {
            stop: stalling.signal,
            lastArgs: [bytesOfPath(ref.names)],
            async takeOutput(output) {
              output.once('readable', () => {
                hasBegun ||= output.readableLength > 0
                clearTimeout(dueStall)
              })
              await pipeline(output, into, { end: false })
            },
          })
        } catch (error) {
          // From here on it must not be started again: half of it is on its way.
          throw hasBegun ? toHttpProblem(error) : error
        } finally {
          clearTimeout(dueStall)
        }
      })
    } finally {
      downloads -= 1
    }
  }

  const putBacks = createPutBacks({
    drive,
    root: folders.root,
    uploads: folders.uploads,
    signal: stopping,
    onDefect: options.onDefect,
    find,
    withRepository,
  })

  const looks = createLooks({ readFolder, withRepository, inTurn, walkMs: options.walkMs })

  return {
    look: (ref, query) => looks.look(ref, query),
    async list() {
      const backups = await source.list()
      const locked = await Promise.all(backups.map(({ backupId }) => keys.find(backupId, undefined).catch(() => null)))
      const unreadOf = await Promise.all(backups.map(({ backupId }) => unread.find(backupId)))
      const none = { run: null, restore: null }
      return {
        backups: backups.map((backup, at) => ({
          ...backup,
          isLocked: locked[at] === null,
          unread: unreadOf[at] ?? none,
        })),
        hasRestic: (await findRestic()) !== undefined,
        keyFingerprint: await keyFingerprint(keys.publicKey),
      }
    },
    async listFolder(ref, path, { offset, filter }) {
      const { entries, truncated } = await readFolder(ref, parseSnapshotPath(path))
      const matches = createNameMatcher(filter)
      const found = filter === '' ? entries : entries.filter(({ name }) => matches(name))
      const page = found.slice(offset, offset + pageEntries)
      return {
        path,
        entries: page.map((entry) => ({ ...entry, modifiedAt: new Date(entry.modifiedAt).toISOString() })),
        offset,
        found: found.length,
        total: entries.length,
        truncated,
      }
    },
    async open(ref, path) {
      const names = parseSnapshotPath(path)
      const { kind, size, name } = await find(ref, names)
      if (kind === 'file') {
        return { name: readableOf(name), size, send: (into, gone) => send({ ...ref, names }, [], into, gone) }
      }
      if (kind !== 'folder') throw new HttpProblem(409, 'notAFile', `${readableOf(path)} is a link or a device.`)
      if (!(await looks.isAtMost(ref, names, mostZipBytes)))
        throw new HttpProblem(413, 'tooLarge', 'The files are more than an archive is made of.')
      const zip = ['--archive', 'zip']
      const pack: SnapshotDownload['send'] = (into, gone) => send({ ...ref, names }, zip, into, gone)
      return { name: `${readableOf(name)}.zip`, size: undefined, send: pack }
    },
    putBack: (order) => putBacks.begin(order),
    showPutBack: (id) => putBacks.show(id),
    async unlock(backupId, password) {
      for (const form of passwordForms(password))
        try {
          await inTurn(() =>
            withRepository({ backupId, password: form }, async (repository) => {
              await repository.run(['cat', 'config', '--no-lock'], { patienceMs })
            }),
          )
          return await keys.keep(backupId, form)
        } catch (error) {
          if (!(error instanceof HttpProblem) || error.code !== 'backupLocked') throw error
        }
      throw new HttpProblem(403, 'wrongPassword', 'This password does not open the backup.')
    },
  }
}
