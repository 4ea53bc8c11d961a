/**
 * Task `backup.restore`: a snapshot is restored beside the drive, as a whole, and only then put in place by renames
 * (`exchange.ts`). Whatever fails or is killed before leaves the drive as it was.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupProgress, RestoreParams, RestoreResult } from '@atoll/contract/agents'
import type { z } from 'zod'
import type { Drive } from '../drive/drive.ts'
import { measureTree } from '../drive/drive-space.ts'
import { readPath } from './backup-run.ts'
import { beginExchange, type ExchangeFolders, findExchanged, resumeExchange } from './exchange.ts'
import { findEntry } from './find-entry.ts'
import { measureUntil } from './measure-until.ts'
import { createPace } from './pace.ts'
import type { Repository } from './repository.ts'
import { BackupProblem } from './restic-failure.ts'
import { progressOf, RestoreSize, readResticJson, readResticLine } from './restic-output.ts'

/** One that brings back nothing more for so long is given up. ms */
const stallMs = 15 * 60_000

export interface RestoreOptions {
  repository: Repository
  taskId: string
  folders: ExchangeFolders
  drive: Pick<Drive, 'space' | 'rearrange'>
  params: Pick<z.output<typeof RestoreParams>, 'snapshotId' | 'target'>
  progress(value: BackupProgress): void
}

export async function runRestore(options: RestoreOptions): Promise<RestoreResult> {
  const { repository, taskId, folders, drive, params } = options
  const earlier = await findExchanged(folders, taskId)
  if (earlier) return earlier
  const carryOn = () => resumeExchange(folders).then(() => 0)
  const begunAt = performance.now()
  const { snapshotId, target } = params
  const places = await placesOf(folders.drive, target)
  for (const names of places) await refuseLinks(folders.drive, names)
  const { total_size: size, snapshots_count } = readResticJson(
    await repository.read(['stats', '--json', '--mode', 'restore-size', snapshotId]),
    RestoreSize,
  )
  if (snapshots_count === 0) throw new BackupProblem('no_snapshot', 'The repository holds no such snapshot.')
  const claim = drive.space.openClaim()
  try {
    // Both copies are on the disk until the old one is gone.
    if (!(await claim.take(size))) throw new BackupProblem('no_room', `The drive has no room for ${size} bytes more.`)
    await drive.rearrange(carryOn)
    const fresh = join(folders.restored, 'new', ...(target.way === 'newFolder' ? (places[0] ?? []) : []))
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    await restoreInto(fresh, options, size)
    const { files, bytes } = await measureTree(fresh)
    claim.written(size)
    for (const names of places)
      if (!(await findEntry(join(folders.restored, 'new'), names)))
        throw new BackupProblem('bad_path', `The snapshot holds no /${names.join('/')}.`)
    const durationMs = Math.round(performance.now() - begunAt)
    const folder = target.way === 'newFolder' ? (places[0]?.[0] ?? null) : null
    const result = { outcome: 'done', files, bytes, durationMs, folder } as const
    await drive.rearrange(async () => {
      if (folder !== null && (await findEntry(folders.drive, [folder])))
        throw new BackupProblem('bad_path', `${folder} is in the drive since a moment ago.`)
      const before = await measurePlaces(folders.drive, places)
      await beginExchange(folders, { taskId, places, result })
      return (await measurePlaces(folders.drive, places)) - before
    })
    return result
  } finally {
    claim.release()
    // The rest of a failed try, or what was replaced; an exchange that was cut off is carried to its end first.
    await drive.rearrange(carryOn)
  }
}

/** Where the drive gets what was restored; no names: all of it is the drive. */
async function placesOf(drive: string, target: RestoreOptions['params']['target']): Promise<string[][]> {
  if (target.way === 'newCluster') return [[]]
  return target.way === 'replace' ? target.paths.map(readPath) : [[await freeName(drive, target.name)]]
}

async function restoreInto(fresh: string, { repository, params, progress }: RestoreOptions, size: number) {
  const { restoreSaysProgress: says, restoreOptions } = repository.differences
  const measuring = new AbortController()
  const stalling = new AbortController()
  let dueStall: NodeJS.Timeout | undefined
  const awaitMore = () => {
    clearTimeout(dueStall)
    const problem = new BackupProblem('unreachable', `Nothing more came back for ${stallMs / 60_000} minutes.`)
    dueStall = setTimeout(() => stalling.abort(problem), stallMs)
  }
  let most = -1
  const pace = createPace()
  const say = (counted: Parameters<typeof pace>[0]) => {
    const done = counted.bytesDone + counted.filesDone
    if (done > most) awaitMore()
    most = Math.max(most, done)
    progress(pace(counted))
  }
  awaitMore()
  const whenMeasured = says ? undefined : measureUntil(measuring.signal, fresh, size, say)
  try {
    const options = says ? ['--json'] : []
    await repository.run(['restore', ...restoreOptions, ...options, params.snapshotId, '--target', fresh], {
      stop: stalling.signal,
      onLine(text) {
        const line = readResticLine(text)
        if (line?.message_type === 'status') say(progressOf(line))
      },
    })
  } finally {
    clearTimeout(dueStall)
    measuring.abort()
    await whenMeasured
  }
}

async function measurePlaces(drive: string, places: readonly string[][]): Promise<number> {
  let sum = 0
  for (const names of places) sum += (await measureTree(join(drive, ...names))).bytes
  return sum
}

/** Through a link, what is put in place would land outside the drive. */
async function refuseLinks(drive: string, names: readonly string[]): Promise<void> {
  for (let depth = 1; depth < names.length; depth += 1) {
    const entry = await findEntry(drive, names.slice(0, depth))
    if (entry && !entry.isDirectory())
      throw new BackupProblem('bad_path', `/${names.slice(0, depth).join('/')} is no folder of the drive.`)
  }
}

/** `wanted`, or the name for now, or that with the first number that is free. */
async function freeName(drive: string, wanted = `Restored ${timeName(new Date())}`): Promise<string> {
  const [name, ...more] = readPath(`/${wanted}`)
  if (name === undefined || more.length > 0) throw new BackupProblem('bad_path', 'The new folder needs one name.')
  for (let number = 2, free = name; ; free = `${name} (${number++})`) {
    if (!(await findEntry(drive, [free]))) return free
  }
}

/** `2026-11-23 05.00`, in UTC; `:` is no character of a name on Windows. */
function timeName(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')
}
