/**
 * The root of a tree: one hash over every entry's path, type, mode, size, time of change, link target and SHA-256.
 * Keyed with the repository's own id, which only its password opens: who sees roots learns nothing of the files, and
 * two equal trees of two repositories have other roots. Names may be any bytes. What is neither file, folder nor link
 * restic does not bring back as it was, and is left out.
 * What is quick is asked of the system at once, a few milliseconds at a time: waiting for each answer in turn would
 * take ten times as long as the answers do. Long files are read without holding anything up.
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
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Manifest } from '@atoll/contract/agents'
import { hasErrorCode, writeFileAtomic } from '../home/atomic-file.ts'

/** Of a file as it was when it was hashed, by `stampOf`. */
export type KnownHashes = Map<string, string>
/** When each path was last changed, as `lstat` tells; by its name as latin1, which keeps any bytes. */
export type TreeStamps = Map<string, string>

/** Most entries that a run may count apart; of a tree that changes more while it is read there is no root. */
export const mostApart = 500

/** Of SHA-256, in hex. */
const hashLength = 64

/**
 * A line each, stamp and hash: as JSON they would take several times as long to read. A line that is none, as of a file
 * of before, costs reading one file again.
 */
export async function readHashes(file: string): Promise<KnownHashes> {
  const hashes: KnownHashes = new Map()
  const text = await readFile(file, 'latin1').catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    return ''
  })
  for (const line of text.split('\n')) {
    const at = line.length - hashLength
    if (at > 1 && line[at - 1] === ' ') hashes.set(line.slice(0, at - 1), line.slice(at))
  }
  return hashes
}

/**
 * Replaces `known`, which the file holds. A full disk costs no backup: the next root is then made by reading every
 * file.
 */
export async function writeHashes(file: string, hashes: KnownHashes, known: KnownHashes): Promise<void> {
  if (hashes === known || (hashes.size === known.size && hashes.keys().every((stamp) => known.has(stamp)))) return
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFileAtomic(file, Array.from(hashes, ([stamp, hash]) => `${stamp} ${hash}\n`).join(''))
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
  }
}

/** Before restic reads: what changes after this may be stored as it was at any moment between. */
export async function stampTree(root: string, places: readonly string[]): Promise<TreeStamps> {
  const stamps: TreeStamps = new Map()
  const breathe = createBreath()
  for (const entries of walk(root, places)) {
    for (const { path, stats } of entries) stamps.set(path, stampOf(stats))
    const pause = breathe()
    if (pause) await pause
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

/**
 * `apart`: keyed hashes of the paths of what changed meanwhile or cannot be read, which is in no root. `hashes` is
 * `known` itself where every file is as it was known.
 */
export async function readManifest(options: ManifestOptions): Promise<Manifest & { hashes: KnownHashes }> {
  const { root, places, key, signal, known = new Map(), before, apart: skipped = [] } = options
  const [apart, skip] = [new Set<string>(), new Set(skipped)]
  const entries: string[] = []
  const keyed = createKeyed(key)
  const tagOf = (path: string) => keyed(`path\0${path}`, 'hex').slice(0, 16)
  // Lists, as most often nobody has to find anything in them.
  const seen: string[] = []
  const stamps: string[] = []
  const contents: string[] = []
  let isAllKnown = true
  let still = 0
  const breathe = createBreath()
  for (const batch of walk(root, places)) {
    for (const { path, place, stats } of batch) {
      const pause = breathe()
      if (pause) await pause
      signal.throwIfAborted()
      const stamp = stampOf(stats)
      const stampBefore = before?.get(path)
      if (before) seen.push(path)
      if (stampBefore !== undefined) still += 1
      if (skip.size > 0 && skip.has(tagOf(path))) continue
      const isSame = before === undefined || stampBefore === stamp
      const kept = isSame && stats.isFile() ? known.get(stamp) : undefined
      const content = kept ?? (isSame ? await contentOf(place, stats, signal) : undefined)
      if (content === undefined) {
        apart.add(tagOf(path))
        continue
      }
      if (stats.isFile()) {
        stamps.push(stamp)
        contents.push(content)
        isAllKnown &&= kept !== undefined
      }
      entries.push(keyed(factsOf(path, stats, content), 'binary'))
    }
  }
  // Gone since: the snapshot may have it.
  if (before && still < before.size) for (const path of without(before.keys(), seen)) apart.add(tagOf(path))
  const isTooMuch = apart.size > mostApart
  return {
    root: isTooMuch ? null : hashEntries(key, entries),
    files: stamps.length,
    apart: isTooMuch ? [] : [...apart],
    hashes:
      isAllKnown && stamps.length === known.size
        ? known
        : new Map(stamps.map((stamp, at) => [stamp, contents[at] ?? ''])),
  }
}

/** `entries`: hashes as latin1, which sort as their bytes do. */
function hashEntries(key: string, entries: string[]): string {
  const all = createHmac('sha256', key).update(`${entries.length}\n`)
  entries.sort()
  for (let at = 0; at < entries.length; at += 1000) all.update(entries.slice(at, at + 1000).join(''), 'latin1')
  return all.digest('hex')
}

function factsOf(path: string, stats: BigIntStats, content: string): string {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'link'
  const size = stats.isFile() ? stats.size : 0n
  return `${path}\0["${kind}",${stats.mode & 0o7777n},"${size}","${stats.mtimeNs}","${content}"]`
}

const blockBytes = 64

/**
 * HMAC-SHA256 (RFC 2104) of texts that are latin1, so of any bytes: by two hashes, each in one step. That of
 * `node:crypto` makes an object each time, which takes several times as long as the hashing does.
 */
function createKeyed(key: string): (text: string, encoding: 'binary' | 'hex') => string {
  const long = Buffer.from(key)
  const padded = Buffer.alloc(blockBytes)
  padded.set(long.length > blockBytes ? hashOnce('sha256', long, 'buffer') : long)
  const outer = Buffer.concat([padded.map((byte) => byte ^ 0x5c), Buffer.alloc(32)])
  // Names, folders and all, are at most some thousand bytes long; a link's target is told twice as long.
  let inner = Buffer.concat([padded.map((byte) => byte ^ 0x36), Buffer.alloc(16_384)])
  return (text, encoding) => {
    const length = blockBytes + text.length
    if (length > inner.length) inner = Buffer.concat([inner, Buffer.alloc(length)])
    inner.write(text, blockBytes, 'latin1')
    // As text it is made in half the time of a buffer.
    outer.write(hashOnce('sha256', inner.subarray(0, length), 'binary'), blockBytes, 'latin1')
    return hashOnce('sha256', outer, encoding)
  }
}

/** What a file holds, as its hash, or where a link leads; undefined: it cannot be read, or changed while it was. */
async function contentOf(place: Place, stats: BigIntStats, signal: AbortSignal): Promise<string | undefined> {
  if (stats.isDirectory()) return ''
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
function hashShort(place: Place): string {
  const file = openSync(place, openFlags)
  try {
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, short, length, shortBytes - length, null)
    return hashOnce('sha256', short.subarray(0, length))
  } finally {
    closeSync(file)
  }
}

async function hashLong(place: Place, signal: AbortSignal): Promise<string> {
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
  return `${ino}:${ctimeNs}:${mtimeNs}:${size}:${mode}`
}

/** What the system is asked with: text is UTF-8 to it, so a name that is not ASCII goes as its bytes. */
type Place = string | Buffer

interface Entry {
  /** From the root; its bytes as latin1, as is `root` below. */
  path: string
  place: Place
  stats: BigIntStats
}

/** So many are looked at before anybody else gets a turn. */
const batchEntries = 32

/** Entries in no order, a few at a time: a step of a generator for each would take as long as what is done with it. */
function* walk(root: string, places: readonly string[]): Generator<Entry[]> {
  const from = latin1(`${root}/`)
  const folders: string[] = []
  let batch: Entry[] = []
  const look = (path: string) => {
    const entry = readEntry(from, path)
    if (!entry) return
    batch.push(entry)
    if (entry.stats.isDirectory()) folders.push(path)
  }
  for (const place of places) {
    if (place === '.') folders.push('')
    else look(latin1(place))
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const under = folder === '' ? '' : `${folder}/`
    for (const name of namesIn(from + folder)) {
      look(under + name)
      if (batch.length < batchEntries) continue
      yield batch
      batch = []
    }
  }
  yield batch
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

function placeOf(path: string): Place {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  return /^[\x00-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1')
}

function readEntry(root: string, path: string): Entry | undefined {
  const place = placeOf(root + path)
  try {
    const stats = lstatSync(place, { bigint: true })
    return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink() ? { path, place, stats } : undefined
  } catch (error) {
    // Removed while we walked.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(placeOf(path), { encoding: 'latin1' })
  } catch (error) {
    // What is in it restic cannot read either.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return []
    throw error
  }
}

function without(all: Iterable<string>, those: readonly string[]): string[] {
  const known = new Set(those)
  return [...all].filter((each) => !known.has(each))
}
