/**
 * The root of a tree: one hash over every entry's path, type, mode, size, time of change, link target and SHA-256.
 * Keyed with the repository's own id, which only its password opens: who sees roots learns nothing of the files, and
 * two equal trees of two repositories have other roots. Names may be any bytes. What is neither file, folder nor link
 * restic does not bring back as it was, and is left out.
 * What is quick is asked of the system at once, a few milliseconds at a time: waiting for each answer in turn would take
 * ten times as long as the answers do. Long files are read without holding anything up.
 */
import { createHash, createHmac, hash as hashOnce } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Manifest } from '@atoll/contract/agents'
import { z } from 'zod'
import { hasErrorCode, writeFileAtomic } from '../home/atomic-file.ts'
import { readJsonFile } from '../home/home.ts'

/** Of a file as it was when it was hashed, by `stampOf`. */
export type KnownHashes = Map<string, string>
/** When each path was last changed, as `lstat` tells; by its name as latin1, which keeps any bytes. */
export type TreeStamps = Map<string, string>

/** Most entries that a run may count apart; of a tree that changes more while it is read there is no root. */
export const mostApart = 500

const StoredHashes = z.record(z.string(), z.string())

export async function readHashes(file: string): Promise<KnownHashes> {
  return new Map(Object.entries((await readJsonFile(file, StoredHashes)) ?? {}))
}

/** A full disk costs no backup: the next root is then made by reading every file. */
export async function writeHashes(file: string, hashes: KnownHashes): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFileAtomic(file, JSON.stringify(Object.fromEntries(hashes)))
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
  }
}

/** Before restic reads: what changes after this may be stored as it was at any moment between. */
export async function stampTree(root: string, places: readonly string[]): Promise<TreeStamps> {
  const stamps: TreeStamps = new Map()
  const breathe = createBreath()
  for (const { path, stats } of walk(root, places)) {
    stamps.set(path.toString('latin1'), stampOf(stats))
    await breathe()
  }
  return stamps
}

interface ManifestOptions {
  root: string
  /** Below `root`, without a slash at the front; `.` is all of it. */
  places: readonly string[]
  key: string
  signal: AbortSignal
  /** Hashes of earlier manifests; those of this one take their place. */
  known?: KnownHashes
  /** As it was before it was read; what differs now is counted apart. */
  before?: TreeStamps
  /** Of an earlier manifest: these are left out. */
  apart?: readonly string[]
}

/** `apart`: keyed hashes of the paths of what changed meanwhile or cannot be read, which is in no root. */
export async function readManifest(options: ManifestOptions): Promise<Manifest & { hashes: KnownHashes }> {
  const { root, places, key, signal, known = new Map(), before, apart: skipped = [] } = options
  const hashes: KnownHashes = new Map()
  const [apart, skip] = [new Set<string>(), new Set(skipped)]
  const entries: Buffer[] = []
  const seen = new Set<string>()
  let files = 0
  const breathe = createBreath()
  for (const { path, stats, place } of walk(root, places)) {
    await breathe()
    signal.throwIfAborted()
    const [name, stamp] = [path.toString('latin1'), stampOf(stats)]
    seen.add(name)
    if (skip.size > 0 && skip.has(tagOf(key, path))) continue
    const isSame = before === undefined || before.get(name) === stamp
    const content = isSame ? await contentOf(place, stats, { known: known.get(stamp), signal }) : undefined
    if (content === undefined) {
      apart.add(tagOf(key, path))
      continue
    }
    if (stats.isFile()) {
      files += 1
      hashes.set(stamp, content)
    }
    entries.push(entryOf(key, path, stats, content))
  }
  // Gone since: the snapshot may have it.
  for (const name of before?.keys() ?? []) if (!seen.has(name)) apart.add(tagOf(key, Buffer.from(name, 'latin1')))
  const isTooMuch = apart.size > mostApart
  return {
    root: isTooMuch ? null : hashEntries(key, entries),
    files,
    apart: isTooMuch ? [] : [...apart],
    hashes,
  }
}

function hashEntries(key: string, entries: Buffer[]): string {
  const all = createHmac('sha256', key).update(`${entries.length}\n`)
  for (const entry of entries.sort(Buffer.compare)) all.update(entry)
  return all.digest('hex')
}

function entryOf(key: string, path: Buffer, stats: BigIntStats, content: string): Buffer {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'link'
  const size = stats.isFile() ? stats.size : 0n
  const facts = JSON.stringify([kind, Number(stats.mode & 0o7777n), String(size), String(stats.mtimeNs), content])
  return createHmac('sha256', key).update(path).update('\0').update(facts).digest()
}

function tagOf(key: string, path: Buffer): string {
  return createHmac('sha256', key).update('path\0').update(path).digest('hex').slice(0, 16)
}

/** What a file holds, as its hash, or where a link leads; undefined: it cannot be read, or changed while it was. */
async function contentOf(
  place: Buffer,
  stats: BigIntStats,
  { known, signal }: { known: string | undefined; signal: AbortSignal },
): Promise<string | undefined> {
  if (stats.isDirectory()) return ''
  if (stats.isFile() && known !== undefined) return known
  try {
    if (stats.isSymbolicLink()) return readlinkSync(place, { encoding: 'buffer' }).toString('hex')
    const hash = stats.size < shortBytes ? hashShort(place) : await hashLong(place, signal)
    return stampOf(lstatSync(place, { bigint: true })) === stampOf(stats) ? hash : undefined
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined
    throw error
  }
}

/** Files below this are read at once, bytes. */
const shortBytes = 262_144
/** Of a longer one so much is read while what came before is hashed, bytes. */
const partBytes = 1_048_576
/** What has taken the file's place meanwhile is neither followed nor waited for. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const short = Buffer.alloc(shortBytes)

/** Of one that grew longer meanwhile, its beginning: its stamp is another then. */
function hashShort(place: Buffer): string {
  const file = openSync(place, openFlags)
  try {
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, short, length, shortBytes - length, null)
    return hashOnce('sha256', short.subarray(0, length))
  } finally {
    closeSync(file)
  }
}

async function hashLong(place: Buffer, signal: AbortSignal): Promise<string> {
  const file = await open(place, openFlags)
  try {
    const hash = createHash('sha256')
    let [part, other] = [Buffer.alloc(partBytes), Buffer.alloc(partBytes)]
    let { bytesRead } = await file.read(part)
    while (bytesRead > 0) {
      signal.throwIfAborted()
      const reading = file.read(other)
      hash.update(part.subarray(0, bytesRead))
      bytesRead = (await reading).bytesRead
      ;[part, other] = [other, part]
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** What else the agent does waits for so long at most, ms. */
const holdMs = 5

/** To be awaited between two entries: lets others go first when it is their turn. */
function createBreath(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < holdMs) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** Changes with whatever is done to a file: its time of change cannot be set by hand. */
function stampOf({ ino, ctimeNs, mtimeNs, size, mode }: BigIntStats): string {
  return [ino, ctimeNs, mtimeNs, size, mode].join(':')
}

interface Entry {
  /** From the root. */
  path: Buffer
  place: Buffer
  stats: BigIntStats
}

function* walk(root: string, places: readonly string[]): Generator<Entry> {
  for (const place of places) {
    if (place === '.') yield* walkFolder(Buffer.from(`${root}/`), Buffer.alloc(0))
    else yield* walkEntry(Buffer.from(`${root}/`), Buffer.from(place))
  }
}

function* walkEntry(root: Buffer, path: Buffer): Generator<Entry> {
  const place = Buffer.concat([root, path])
  let stats: BigIntStats
  try {
    stats = lstatSync(place, { bigint: true })
  } catch (error) {
    // Removed while we walked.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return
    throw error
  }
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) return
  yield { path, place, stats }
  if (stats.isDirectory()) yield* walkFolder(root, path)
}

function* walkFolder(root: Buffer, path: Buffer): Generator<Entry> {
  let names: Buffer[]
  try {
    names = readdirSync(path.length === 0 ? root : Buffer.concat([root, path]), { encoding: 'buffer' })
  } catch (error) {
    // What is in it restic cannot read either.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return
    throw error
  }
  const under = path.length === 0 ? path : Buffer.concat([path, Buffer.from('/')])
  for (const name of names) yield* walkEntry(root, Buffer.concat([under, name]))
}
