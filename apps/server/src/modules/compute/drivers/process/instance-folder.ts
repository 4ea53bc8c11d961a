/**
 * An instance's folder, `<dataDir>/instances/<instanceId>/`: the agent's home, with two files of the driver's own.
 *   instance.json  what the instance is and whether it should run; there from before the first boot until destroy
 *   process.json   the process that runs it, written by that process itself while it holds the instance's lock
 * It appears whole: made as `<dataDir>/making/<instanceId>.<random>` and renamed, so a home always has its record. It
 * disappears whole: renamed to `<dataDir>/removed/<instanceId>.<random>`, so from that instant nothing can boot from it,
 * and a destroy that was cut short is found and finished.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
  /** Makes the home with its record; of several callers one wins, and all are told the winner's record. */
  make(instanceId: string, record: InstanceRecord): Promise<InstanceRecord>
  /** Ids with a home or remains of one that `deployment` made. */
  listIds(deployment: string): Promise<string[]>
  hasAny(): Promise<boolean>
  listRemains(instanceId: string): Promise<string[]>
  /** Takes the home out of use in one step; nothing happens without one. */
  remove(instanceId: string): Promise<void>
}

const safeId = /^[a-z0-9_]{4,60}$/

export function instanceFolders(dataDir: string): InstanceFolders {
  const homes = join(dataDir, 'instances')
  const making = join(dataDir, 'making')
  const removed = join(dataDir, 'removed')
  function home(instanceId: string): string {
    if (!safeId.test(instanceId)) throw new Error('Not an instance id')
    return join(homes, instanceId)
  }
  /** What makers that were cut short left behind. Retries: one that is still at work may add its record meanwhile. */
  async function clearMaking(instanceId: string): Promise<void> {
    for (const name of await listNames(making)) {
      if (name.startsWith(`${instanceId}.`)) {
        await rm(join(making, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
      }
    }
  }
  return {
    home,
    async make(instanceId, record) {
      const target = home(instanceId)
      const draft = join(making, `${instanceId}.${randomBytes(6).toString('hex')}`)
      await mkdir(draft, { recursive: true, mode: 0o700 })
      await mkdir(homes, { recursive: true, mode: 0o700 })
      try {
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
      for (const folder of [homes, removed]) {
        for (const name of await listNames(folder)) {
          const id = name.split('.')[0] ?? ''
          if (!safeId.test(id) || found.has(id)) continue
          const record = await readInstanceRecord(join(folder, name))
          if (record !== 'damaged' && record?.deployment === deployment) found.add(id)
        }
      }
      return [...found]
    },
    hasAny: async () => (await listNames(homes)).length > 0,
    async listRemains(instanceId) {
      const names = await listNames(removed)
      return names.filter((name) => name.startsWith(`${instanceId}.`)).map((name) => join(removed, name))
    },
    async remove(instanceId) {
      await clearMaking(instanceId)
      await mkdir(removed, { recursive: true, mode: 0o700 })
      try {
        await rename(home(instanceId), join(removed, `${instanceId}.${randomBytes(6).toString('hex')}`))
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

/** A note of the process that runs in `home`: it says what it likes there, and a note that is none counts as missing. */
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
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    // The error would quote the file, which holds secrets.
    return 'damaged'
  }
}

async function writeTemporary(home: string, record: InstanceRecord): Promise<string> {
  const path = join(home, `instance.json.${randomBytes(6).toString('hex')}.new`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(JSON.stringify(record))
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
