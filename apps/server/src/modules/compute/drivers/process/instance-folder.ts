/**
 * An instance's folder, `<dataDir>/instances/<instanceId>/`: the agent's home, with two files of the driver's own.
 *   instance.json  what the instance is and whether it should run; there from before the first boot until destroy
 *   process.json   the process that runs it, written by that process itself while it holds the instance's lock
 * It appears whole: made as `<dataDir>/making/<instanceId>.<random>` and renamed, so a home always has its record. It
 * disappears whole: renamed to `<dataDir>/removed/<instanceId>.<random>`, so from that instant nothing can boot from
 * it, and a destroy that was cut short is found and finished.
 * Homes of a former folder are as good as those of `dataDir`, and are brought there one by one.
 */
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { type FileHandle, lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'

const InstanceRecord = z.object({
  /** Random; stands in the environment of every process of the instance and proves that a process is one. */
  mark: z.string().min(20),
  deployment: z.string(),
  wanted: z.enum(['running', 'stopped']),
  enrollToken: z.string(),
  controlUrl: z.string(),
  cpuCoreCount: z.number(),
  memoryMiB: z.number(),
  diskMiB: z.number(),
})
export type InstanceRecord = z.infer<typeof InstanceRecord>

export const ProcessRecord = z.object({ pid: z.int(), startTime: z.number() })
/** The agent's own note of the boot that listens (`run.json`). */
export const RunRecord = z.looseObject({ pid: z.int(), port: z.int().min(1).max(65535) })

/** The driver's folders under `dataDir`. Instance ids are ours, but a path is never built from anything else. */
export interface InstanceFolders {
  home(instanceId: string): string
  /** The home whose remains these are. */
  homeOf(remains: string): string
  /** Throws when `bringHome` could not move the home. */
  requireMovable(instanceId: string): Promise<void>
  /** Moves the home from the former folder, if it is there; says where it is now. Nothing may run in it. */
  bringHome(instanceId: string): Promise<string>
  /** Makes the home with its record; of several callers one wins, and all get the winner's record. */
  make(instanceId: string, record: InstanceRecord): Promise<InstanceRecord>
  /** Ids with a home or remains of one that `deployment` made. */
  listIds(deployment: string): Promise<string[]>
  hasAny(): Promise<boolean>
  listRemains(instanceId: string): Promise<string[]>
  /** Takes the home out of use in one step; nothing happens without one. */
  remove(instanceId: string): Promise<void>
}

/** The size limit of our records and notes, bytes. */
const recordLimit = 64 * 1024
const safeId = /^[a-z0-9_]{4,60}$/

export function instanceFolders(
  dataDir: string,
  { formerDir, owner }: { formerDir?: string | undefined; owner?: { uid: number; gid: number } | undefined } = {},
): InstanceFolders {
  const homes = join(dataDir, 'instances')
  const making = join(dataDir, 'making')
  const trees = formerDir === undefined ? [dataDir] : [dataDir, formerDir]
  function treeOf(instanceId: string): string {
    if (!safeId.test(instanceId)) throw new Error('Not an instance id')
    return trees.find((tree) => existsSync(join(tree, 'instances', instanceId))) ?? dataDir
  }
  const home = (instanceId: string) => join(treeOf(instanceId), 'instances', instanceId)
  /** Removes leftovers of interrupted creations. Retries: one still under way may add its record meanwhile. */
  async function clearMaking(instanceId: string): Promise<void> {
    for (const folder of trees.map((tree) => join(tree, 'making'))) {
      for (const name of await listNames(folder)) {
        if (name.startsWith(`${instanceId}.`)) {
          await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
        }
      }
    }
  }
  return {
    home,
    homeOf(remains) {
      const [instanceId = ''] = basename(remains).split('.')
      return join(dirname(dirname(remains)), 'instances', instanceId)
    },
    async requireMovable(instanceId) {
      const [from, to] = await Promise.all([stat(home(instanceId)), stat(homes)])
      if (from.dev !== to.dev) throw new Error(`${homes} is on another file system`)
    },
    async bringHome(instanceId) {
      const target = join(homes, instanceId)
      const from = home(instanceId)
      if (from !== target) await rename(from, target)
      return target
    },
    async make(instanceId, record) {
      const target = home(instanceId)
      const draft = join(making, `${instanceId}.${randomBytes(6).toString('hex')}`)
      await mkdir(draft, { recursive: true, mode: 0o700 })
      await mkdir(homes, { recursive: true, mode: 0o700 })
      try {
        if (owner) await lchown(draft, owner.uid, owner.gid)
        await rename(await writeTemporary(draft, record), join(draft, 'instance.json'))
        // Refuses to replace a folder with anything in it, and a home is never empty.
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { recursive: true, force: true })
        // ENOENT: a destroy took the draft away.
        if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
      }
      const winner = await readInstanceRecord(target)
      if (!winner || winner === 'damaged') throw new Error(`${target} was removed or damaged while it was made`)
      return winner
    },
    async listIds(deployment) {
      const found = new Set<string>()
      for (const folder of trees.flatMap((tree) => [join(tree, 'instances'), join(tree, 'removed')])) {
        for (const name of await listNames(folder)) {
          const id = name.split('.')[0] ?? ''
          if (!safeId.test(id) || found.has(id)) continue
          const record = await readInstanceRecord(join(folder, name))
          if (record !== 'damaged' && record?.deployment === deployment) found.add(id)
        }
      }
      return [...found]
    },
    async hasAny() {
      for (const tree of trees) if ((await listNames(join(tree, 'instances'))).length > 0) return true
      return false
    },
    async listRemains(instanceId) {
      const found: string[] = []
      for (const folder of trees.map((tree) => join(tree, 'removed'))) {
        const names = await listNames(folder)
        found.push(...names.filter((name) => name.startsWith(`${instanceId}.`)).map((name) => join(folder, name)))
      }
      return found
    },
    async remove(instanceId) {
      await clearMaking(instanceId)
      const tree = treeOf(instanceId)
      const removed = join(tree, 'removed')
      await mkdir(removed, { recursive: true, mode: 0o700 })
      try {
        await rename(
          join(tree, 'instances', instanceId),
          join(removed, `${instanceId}.${randomBytes(6).toString('hex')}`),
        )
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
      }
    },
  }
}

/** The record of `home`, undefined when there is none. Writes are whole: `damaged` says that others changed it. */
export async function readInstanceRecord(home: string): Promise<InstanceRecord | 'damaged' | undefined> {
  return await readRecord(join(home, 'instance.json'), InstanceRecord)
}

/**
 * A note of the process that runs in `home`: it says what it likes there, and a note that is none counts as missing.
 */
export async function readNote<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T> | undefined> {
  const note = await readRecord(path, shape)
  return note === 'damaged' ? undefined : note
}

/** Replaces the record. A home that was removed meanwhile stays removed. */
export async function replaceInstanceRecord(home: string, record: InstanceRecord): Promise<void> {
  await rename(await writeTemporary(home, record), join(home, 'instance.json'))
}

async function readRecord<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T> | 'damaged' | undefined> {
  let text: string
  try {
    await using file = await openPlain(path)
    if ((await file.stat()).size > recordLimit) return 'damaged'
    text = await file.readFile('utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (hasCode(error, ...notPlain)) return 'damaged'
    throw error
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    // The error would quote the file, which holds secrets.
    return 'damaged'
  }
}

/** Error codes of `openPlain` for anything but a regular file. */
export const notPlain = ['ELOOP', 'ENXIO', 'EISDIR', 'EINVAL']

/**
 * Opens a file in a home, where its user may put what they like while this process is root: a link would lead to other
 * files, and a pipe would keep the reader waiting.
 */
export async function openPlain(path: string, flags = constants.O_RDONLY): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw Object.assign(new Error(`${path} is not a plain file`), { code: 'EINVAL' })
}

async function writeTemporary(home: string, record: InstanceRecord): Promise<string> {
  const path = join(home, `instance.json.${randomBytes(6).toString('hex')}.new`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(JSON.stringify(record))
    // The instance's process reads it, and is perhaps another user's.
    const { uid, gid } = await stat(home)
    if (process.getuid?.() === 0) await file.chown(uid, gid)
    await file.sync()
  } finally {
    await file.close()
  }
  return path
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
