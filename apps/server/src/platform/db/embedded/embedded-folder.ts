import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { PostgresBinaries } from './embedded-binaries.ts'
import type { RunAs } from './embedded-user.ts'

/** Longest path of a unix socket is 107 bytes on Linux and 103 on macOS; PostgreSQL adds `/.s.PGSQL.5432`. */
const longestSocketFolder = 88
const orphanStopsWithinMs = 15_000

/** Gives `folder` and all in it to the user PostgreSQL runs as; nothing to do when it is theirs already. */
export function setOwner(folder: string, { owner }: RunAs): void {
  if (!owner) return
  const { uid, gid } = statSync(folder)
  if (uid === owner.uid && gid === owner.gid) return
  // The folder itself comes last: a change that was interrupted is seen and done again.
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), owner.uid, owner.gid)
  }
  lchownSync(folder, owner.uid, owner.gid)
}

/**
 * Where the socket is, by the database's folder: beside the data, or in the temporary folder when that is too deep.
 */
export function socketFolderOf(folder: string): { path: string; deep: boolean } {
  const near = join(folder, 'run')
  if (Buffer.byteLength(near) <= longestSocketFolder) return { path: near, deep: false }
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  return { path: join(tmpdir(), `atoll-${name}`), deep: true }
}

/** The folder for the socket, empty, which nobody else may enter. No postmaster runs on the data (`stopOrphan`). */
export function prepareSocketFolder(folder: string, { owner }: RunAs): string {
  const { path, deep } = socketFolderOf(folder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const us = process.getuid?.()
  const { uid } = statSync(path)
  // In the shared temporary folder someone else could have made it first, to listen in our place.
  if (deep && uid !== us && uid !== owner?.uid) throw new Error(`${path} belongs to another user; remove it`)
  chmodSync(path, 0o700)
  // Like the pid file: left by a server that is gone for certain.
  for (const name of readdirSync(path)) rmSync(join(path, name))
  if (owner) lchownSync(path, owner.uid, owner.gid)
  return path
}

/** Makes the data folder unless it is there; one that was not finished does not count as there. */
export async function initialise(options: {
  folder: string
  data: string
  binaries: PostgresBinaries
  runAs: RunAs
  userName: string
}): Promise<void> {
  if (existsSync(join(options.data, 'PG_VERSION'))) return
  const unfinished = join(options.folder, 'data.new')
  rmSync(unfinished, { recursive: true, force: true })
  const { file, args, ...user } = options.runAs.command(options.binaries.initdb, [
    ...['-D', unfinished, '-U', options.userName],
    // Every process that may enter the socket's folder is trusted; there is no other way in.
    ...['--auth=trust', '--no-locale', '-E', 'UTF8', '--no-instructions'],
  ])
  const child = spawn(file, args, { ...user, cwd: options.folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`The embedded database cannot be made in ${options.folder}: ${complaint.trim()}`)
  renameSync(unfinished, options.data)
}

/**
 * Clears away what a killed server left on `data`: stops its postmaster, waits for the last backend, and removes the
 * pid file. PostgreSQL itself keeps to a pid file whose pid exists in any way, also as a zombie that nobody collects
 * or as somebody else's new process. The caller holds the folder's lock.
 */
export async function stopOrphan(data: string, log: Log): Promise<void> {
  const pid = readPostmasterPid(data)
  if (pid !== undefined && isPostmasterOf(pid, data)) {
    log.info({ pid }, 'stopping the database that a killed server left behind')
    process.kill(pid, 'SIGINT')
  }
  const deadline = Date.now() + orphanStopsWithinMs
  // They are not our children, so their end can only be polled.
  while ((pid !== undefined && isPostmasterOf(pid, data)) || hasProcessesIn(data)) {
    if (Date.now() > deadline) {
      throw new Error(`The database on ${data} (process ${pid}) does not stop. End it (kill -QUIT) and start again.`)
    }
    await delay(10)
  }
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** Whether any process works in `data`, as the postmaster and all its backends do. Known on Linux only. */
function hasProcessesIn(data: string): boolean {
  if (platform() !== 'linux') return false
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolderOf(name) === data)
}

function workingFolderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Gone, a zombie, or another user's: none of them is ours at work.
    return undefined
  }
}

/** First line of postmaster.pid, if it is there. */
function readPostmasterPid(data: string): number | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}

/** Pids are used again: it is the postmaster only if its command names the data folder. */
function isPostmasterOf(pid: number, data: string): boolean {
  try {
    const command =
      platform() === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          })
    return command.includes(`-D ${data} `)
  } catch {
    // No such process (any more): /proc has no entry, ps ends with 1.
    return false
  }
}
