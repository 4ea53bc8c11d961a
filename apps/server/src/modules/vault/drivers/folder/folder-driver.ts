/**
 * Repositories as folders, in restic's own layout: plain restic opens them.
 *   DIR/vr_…/config, keys/ID, locks/ID, snapshots/ID, index/ID, data/AB/ABCD…
 *   DIR/vr_…/atoll-plan.json   whose it is
 *   DIR/uploads/vu_…   what is on its way, on the same disk, so that its last step is a rename
 */
import type { Dirent } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { claimFile } from '../../../../platform/careful/index.ts'
import { writeWholeFile } from '../../../../platform/whole-file.ts'
import { tryEach } from '../../try-each.ts'
import { type Incoming, longestPlanFile, planFileName, type StoredFile, type VaultDriver } from '../../vault-driver.ts'
import type { FileKey } from '../../vault-tables.ts'

const folders = ['keys', 'locks', 'snapshots', 'index', 'data'] as const
const repositoryId = /^vr_[a-z2-7]{20}$/
const fileName = /^[0-9a-f]{64}$/
/** Bytes of a file that are read at once: each read costs a round trip to another thread. */
const partBytes = 262_144
/** Errors of the file system for one file that is damaged or not regular; a missing permission is neither. */
const brokenCodes = ['EIO', 'EBADMSG', 'EISDIR', 'ELOOP', 'ENOTDIR']
/** An upload that is younger may be known in a moment, ms. */
const youngMs = 600_000

/** `folder`: absolute; made when it is first needed. `isUsed`: whether files were ever stored in it. */
export function createFolderDriver(folder: string, isUsed: () => Promise<boolean> = async () => false): VaultDriver {
  const uploads = join(folder, 'uploads')
  const pathOf = ({ repositoryId: id, type, name }: FileKey) =>
    type === 'config'
      ? join(folder, id, 'config')
      : join(folder, id, type, ...(type === 'data' ? [name.slice(0, 2), name] : [name]))

  /**
   * Where its disk is not mounted, an empty folder is in its place: what that lacks is not gone, and it is to take
   * nothing. `uploads` is there since the first file.
   */
  async function ensureMounted(): Promise<void> {
    if (await stat(uploads).catch(ifAbsent(undefined))) return
    if (await isUsed()) throw new Error(`${uploads} is missing: is the disk of the vault mounted?`)
  }

  /**
   * For `catch` of what reads one file: `value` where nothing can be read of that file alone, as others of the same
   * disk can still be written.
   */
  const ifBroken =
    <T>(value: T) =>
    async (error: unknown): Promise<T> => {
      if (!hasCode(error, brokenCodes)) throw error
      await ensureMounted()
      await writeWholeFile(join(uploads, 'probe'), '')
      return value
    }

  const planFileOf = (id: string) => join(folder, id, planFileName)
  const claims = claimFile(join(folder, 'atoll-claim.json'))
  return {
    claims: {
      async read() {
        await ensureMounted()
        return await claims.read()
      },
      async write(claim) {
        await ensureMounted()
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await claims.write(claim)
      },
    },
    async prepare(id) {
      await ensureMounted()
      for (const name of folders) await mkdir(join(folder, id, name), { recursive: true, mode: 0o700 })
    },
    async receive(uploadId, { key }) {
      await ensureMounted()
      const path = join(uploads, uploadId)
      // Read only from its first byte on: what is kept is never written again.
      const handle = await insideFolder(path, () => open(path, 'wx', 0o400))
      return incoming(handle, path, pathOf(key))
    },
    async open(key) {
      const handle = await open(pathOf(key), 'r').catch(ifAbsent(undefined)).catch(ifBroken(undefined))
      if (!handle) await ensureMounted()
      return handle && (await storedFile(handle, ifBroken))
    },
    async remove(key) {
      await ensureMounted()
      await unlink(pathOf(key)).catch(ifAbsent(undefined))
    },
    async space() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, blocks, bsize } = await statfs(folder)
      return { free: bavail * bsize, total: blocks * bsize }
    },
    async removeUploads(isKnown, onFailed) {
      const names = await readdir(uploads).catch(ifAbsent([]))
      const look = (name: string) => stat(join(uploads, name)).catch(ifAbsent(undefined))
      const old = (await tryEach(names, look, onFailed))
        .filter(({ result }) => result && Date.now() - result.mtimeMs > youngMs)
        .map(({ uploadId }) => uploadId)
      const known = await isKnown(old)
      const unknown = old.filter((name) => !known.has(name))
      const remove = (name: string) => rm(join(uploads, name), { force: true })
      return (await tryEach(unknown, remove, onFailed)).length
    },
    async readPlanFile(id) {
      const path = planFileOf(id)
      const found = await stat(path).catch(ifAbsent(undefined))
      return found && found.size <= longestPlanFile ? await readFile(path, 'utf8') : undefined
    },
    async writePlanFile(id, text) {
      await ensureMounted()
      const path = planFileOf(id)
      if (text === null) return await rm(path, { force: true })
      await insideFolder(path, () => writeWholeFile(path, text))
    },
    async dropRepository(id) {
      const place = join(folder, id)
      const data = await readdir(join(place, 'data')).catch(ifAbsent([]))
      const inner = [...data.map((name) => join('data', name)), ...folders]
      for (const path of [...inner.map((name) => join(place, name)), place]) await rmdir(path).catch(ifThere)
    },
    async *listRepositories() {
      for await (const entry of entriesOf(folder))
        if (entry.isDirectory() && repositoryId.test(entry.name)) yield entry.name
    },
    async *listNames(id, type) {
      if (type === 'config') {
        if (await stat(join(folder, id, 'config')).catch(ifAbsent(undefined))) yield 'config'
      } else if (type === 'data') {
        for await (const { name } of entriesOf(join(folder, id, 'data')))
          yield* filesIn(join(folder, id, 'data', name), (file) => file.startsWith(name))
      } else {
        yield* filesIn(join(folder, id, type), () => true)
      }
    },
  }
}

function incoming(handle: FileHandle, path: string, target: string): Incoming {
  let isOpen = true
  let isKept = false
  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    async write(chunks) {
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      const { bytesWritten } = await handle.writev([...chunks])
      if (bytesWritten === length) return
      // A disk that is nearly full takes a part.
      const rest = Buffer.concat(chunks).subarray(bytesWritten)
      for (let at = 0; at < rest.length; ) at += (await handle.write(rest, at)).bytesWritten
    },
    async sync() {
      await handle.datasync()
      await close()
    },
    async keep() {
      await insideFolder(target, () => rename(path, target))
      isKept = true
      await syncFolder(dirname(target))
    },
    async discard() {
      await close()
      if (!isKept) await rm(path, { force: true })
    },
  }
}

type IfBroken = <T>(value: T) => (error: unknown) => Promise<T>

async function storedFile(handle: FileHandle, ifBroken: IfBroken): Promise<StoredFile> {
  try {
    const { size, mtime } = await handle.stat()
    return {
      bytes: size,
      storedAt: mtime,
      read: ({ start, end } = { start: 0, end: size - 1 }) => readParts(handle, { start, end }, ifBroken),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** One place in memory for all parts: a new one for each would cost more than reading it does. */
async function* readParts(
  handle: FileHandle,
  { start, end }: { start: number; end: number },
  ifBroken: IfBroken,
): AsyncIterable<Uint8Array> {
  const nothing = { bytesRead: 0 }
  const part = Buffer.allocUnsafeSlow(Math.min(partBytes, end - start + 1))
  for (let at = start; at <= end; ) {
    const wanted = Math.min(part.length, end - at + 1)
    const { bytesRead } = await handle.read(part, 0, wanted, at).catch(ifBroken(nothing))
    // It was cut since it was opened, or cannot be read from here on.
    if (bytesRead === 0) return
    at += bytesRead
    yield part.subarray(0, bytesRead)
  }
}

/** Does it, and makes the folder of `path` first when that was missing. */
async function insideFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  const absent = Symbol('absent')
  const done = await work().catch(ifAbsent<T | typeof absent>(absent))
  if (done !== absent) return done
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await syncFolder(dirname(dirname(path)))
  return await work()
}

/** A name is found after a crash only once its folder is written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* entriesOf(folder: string): AsyncIterable<Dirent> {
  const found = await opendir(folder).catch(ifAbsent(undefined))
  if (found) yield* found
}

async function* filesIn(folder: string, isOurs: (name: string) => boolean): AsyncIterable<string> {
  for await (const entry of entriesOf(folder))
    if (entry.isFile() && fileName.test(entry.name) && isOurs(entry.name)) yield entry.name
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** For `catch` of a folder that is removed where it is empty: one that is not, or not there, stays as it is. */
function ifThere(error: unknown): void {
  if (!hasCode(error, ['ENOENT', 'ENOTEMPTY'])) throw error
}

/** For `catch`: `value` when there is no such file, anything else is thrown on. */
function ifAbsent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (!hasCode(error, ['ENOENT'])) throw error
    return value
  }
}
