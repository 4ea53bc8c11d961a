/**
 * Task `backup.drill`: a snapshot is restored into an empty place beside the drive, its root is made as at the backup,
 * and it is removed again, whatever happens. The expected root is not sent along: the requester compares.
 */
import { mkdir } from 'node:fs/promises'
import type { BackupProgress, DrillParams, DrillResult } from '@atoll/contract/agents'
import type { z } from 'zod'
import type { Drive } from '../drive/drive.ts'
import { measureTree } from '../drive/drive-space.ts'
import { readPath } from './backup-run.ts'
import { readManifest } from './manifest/read-manifest.ts'
import { removeTree } from './replace/remove-tree.ts'
import { measureUntil } from './repository/measure-until.ts'
import { createPace } from './repository/pace.ts'
import type { Repository } from './repository/repository.ts'
import { BackupProblem, isOfTheWay } from './repository/restic-failure.ts'
import { RestoreSize, readResticJson } from './repository/restic-output.ts'

export interface DrillOptions {
  repository: Repository
  /** Where to restore; holds nothing else. */
  folder: string
  drive: Pick<Drive, 'space'>
  params: Pick<z.output<typeof DrillParams>, 'snapshotId' | 'paths' | 'apart'>
  signal: AbortSignal
  progress(value: BackupProgress): void
}

export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const { repository, folder, drive, params, signal } = options
  const begunAt = performance.now()
  const { snapshotId, apart } = params
  const claim = drive.space.openClaim()
  await clearDrill(folder)
  try {
    const { total_size: size, snapshots_count } = readResticJson(
      await repository.read(['stats', '--json', '--mode', 'restore-size', snapshotId]),
      RestoreSize,
    )
    if (snapshots_count === 0) throw new BackupProblem('no_snapshot', 'The repository holds no such snapshot.')
    if (!(await claim.take(size))) throw new BackupProblem('no_room', `The drive has no room for ${size} bytes more.`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const warnings = await restoreCounted(options, size)
    const places = params.paths.map((path) => readPath(path).join('/') || '.')
    const { root, files } = await readManifest({ root: folder, places, key: await repository.id(), apart, signal })
    const { bytes } = await measureTree(folder)
    return { outcome: 'done', root, files, bytes, warnings, durationMs: Math.round(performance.now() - begunAt) }
  } finally {
    await clearDrill(folder)
    claim.release()
  }
}

/** Restores into the drill's folder; gives how many warnings there were, those about the way to the vault apart. */
async function restoreCounted({ repository, folder, params, progress }: DrillOptions, size: number): Promise<number> {
  let warnings = 0
  const measuring = new AbortController()
  const pace = createPace()
  // By what is on the disk with every restic: a warning is a line that is said, so nothing else may be asked to be.
  const whenMeasured = measureUntil(measuring.signal, folder, size, (counted) => progress(pace(counted)))
  try {
    await repository.run(['restore', ...repository.differences.restoreOptions, params.snapshotId, '--target', folder], {
      onErrorLine(line) {
        // A line that was cut says nothing of the backup: it was read in the end, or restic fails.
        if (line.trim() !== '' && !isOfTheWay(line)) warnings += 1
      },
    })
  } finally {
    measuring.abort()
    await whenMeasured
  }
  return warnings
}

/** Removes what a drill left that was killed. */
export async function clearDrill(folder: string): Promise<void> {
  await removeTree(folder)
}
