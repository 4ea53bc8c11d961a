/**
 * The root of a tree: one hash over every entry's path, type, mode, size, time of change, link target and SHA-256.
 * Keyed with the repository's own id, which only its password opens: a reader of roots learns nothing of the files, and
 * two equal trees of two repositories have other roots. Names may be any bytes. Entries that are neither file, folder
 * nor link are left out, since restic does not restore them unchanged. Long files are read without holding anything up.
 */
import { createHash, createHmac, hash as hashOnce } from 'node:crypto'
import { type BigIntStats, closeSync, constants, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Manifest } from '@atoll/contract/agents'
import { hasErrorCode } from '../../kernel/atomic-file.ts'
import { stampOf } from './tree-stamps.ts'
import { createBreath, type Place, walk } from './tree-walk.ts'

/** Of a file as it was when it was hashed, by `stampOf`. */
export type KnownHashes = Map<string, string>

/** Most entries that a run may count apart; of a tree that changes more while it is read there is no root. */
export const mostApart = 500

export interface ManifestOptions {
  root: string
  /** Below `root`, without a slash at the front; `.` is all of it. */
  places: readonly string[]
  key: string
  signal: AbortSignal
  /** Hashes of earlier manifests; those of this one take their place. */
  known?: KnownHashes
  /** Stamps by path, as `TreeStamps` has them, before it was read; what differs now is counted apart. */
  before?: ReadonlyMap<string, string>
  /** Of an earlier manifest: these are left out. */
  apart?: readonly string[]
}

/** `apart`: keyed hashes of the paths of what changed meanwhile or cannot be read, which is in no root. */
export async function readManifest(options: ManifestOptions): Promise<Manifest & { hashes: KnownHashes }> {
  const { root, places, key, signal, known = new Map(), before, apart: skipped = [] } = options
  const [apart, skip] = [new Set<string>(), new Set(skipped)]
  const entries: string[] = []
  const keyed = createKeyed(key)
  const tagOf = (path: string) => keyed(`path\0${path}`, 'hex').slice(0, 16)
  const hashes: KnownHashes = new Map()
  const seen = new Set<string>()
  let files = 0
  const breathe = createBreath()
  for (const batch of walk(root, places)) {
    for (const { path, place, stats } of batch) {
      const pause = breathe()
      if (pause) await pause
      signal.throwIfAborted()
      const stamp = stampOf(stats)
      seen.add(path)
      if (skip.size > 0 && skip.has(tagOf(path))) continue
      const isSame = before === undefined || before.get(path) === stamp
      const kept = isSame && stats.isFile() ? known.get(stamp) : undefined
      const content = kept ?? (isSame ? await contentOf(place, stats, signal) : undefined)
      if (content === undefined) {
        apart.add(tagOf(path))
        continue
      }
      if (stats.isFile()) {
        files += 1
        hashes.set(stamp, content)
      }
      entries.push(keyed(factsOf(path, stats, content), 'binary'))
    }
  }
  // Gone since: the snapshot may have it.
  for (const path of before?.keys() ?? []) if (!seen.has(path)) apart.add(tagOf(path))
  const isTooMuch = apart.size > mostApart
  return {
    root: isTooMuch ? null : hashEntries(key, entries),
    files,
    apart: isTooMuch ? [] : [...apart],
    hashes,
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
  // Names, folders and all, are at most some thousand bytes long; a link's target is written twice as long.
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

/** The hash of a file's content, or a link's target; undefined: unreadable, or changed while it was read. */
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
/** An entry that has taken the file's place meanwhile is neither followed nor waited for. */
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
