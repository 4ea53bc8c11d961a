/**
 * Where backups keep things in the agent's home:
 *   backup/key.json, passwords.json   `backup-keys.ts`
 *   backup/hashes/                   of the files of each backup, by which a root is made without reading them again
 *   backup/exchange.json              `exchange.ts`
 *   backup/unread.json                `unread-files.ts`
 *   backup/authorities.pem            whom restic trusts
 *   backup/cache/                     restic's own, at most 1 GB
 *   backup/tmp/                       restic's; emptied before each task
 *   backup/look/                      the same while the owner browses backups, beside a task (`browse/`)
 *   drilled/                          what a drill restored; gone when it ends, or at the next start
 *   restored/                         what a restore has not put in place yet; beside the drive, on its file system
 */
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../kernel/atomic-file.ts'

const cacheLimitBytes = 1024 ** 3

export type BackupPlace = Awaited<ReturnType<typeof openBackupPlace>>

export async function openBackupPlace(home: string) {
  const folder = join(home, 'backup')
  const inside = (name: string) => join(folder, name)
  const place = {
    home,
    folder,
    cache: inside('cache'),
    tmp: inside('tmp'),
    authorities: inside('authorities.pem'),
    exchange: inside('exchange.json'),
    unread: inside('unread.json'),
    restored: join(home, 'restored'),
    hashes: inside('hashes'),
    drilled: join(home, 'drilled'),
  }
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    // The tasks that need it report it missing; the agent starts.
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
  })
  // Half-written by a killed agent.
  for (const name of (await namesIn(folder)).filter((one) => one.endsWith('.tmp'))) await rm(inside(name))
  return place
}

/** Empties what a killed restic left. */
export async function clearTemporary({ tmp }: BackupPlace): Promise<void> {
  await rm(tmp, { recursive: true, force: true })
  await mkdir(tmp, { recursive: true, mode: 0o700 })
}

/** Removes the oldest files of the cache until at most `limit` bytes are left: restic fetches what it misses. */
export async function trimCache({ cache }: BackupPlace, limit = cacheLimitBytes): Promise<void> {
  const files = await listFiles(cache)
  files.sort((a, b) => a.at - b.at)
  let bytes = files.reduce((sum, file) => sum + file.size, 0)
  for (const { path, size } of files) {
    if (bytes <= limit) return
    await rm(path, { force: true })
    bytes -= size
  }
}

async function listFiles(folder: string): Promise<{ path: string; size: number; at: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneIfMissing)
  const files = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const { size, mtimeMs } = await lstat(path)
    files.push({ path, size, at: mtimeMs })
  }
  return files
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(noneIfMissing)
}

function noneIfMissing(error: unknown): [] {
  if (hasErrorCode(error, 'ENOENT')) return []
  throw error
}
