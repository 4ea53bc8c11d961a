/**
 * Task `backup.drill`: a snapshot is restored into an empty place beside the drive, its root is made as at the backup,
 * and it is removed again, whatever happens. What there should be is not told: whoever asked compares.
 */
import { mkdir, rm } from 'node:fs/promises'
import type { DrillParams, DrillResult } from '@atoll/contract/agents'
import type { z } from 'zod'
import type { Drive } from '../drive/drive.ts'
import { readPath } from './backup-run.ts'
import { readManifest } from './manifest.ts'
import { measureTree } from './measure-tree.ts'
import type { Repository } from './repository.ts'
import { BackupProblem } from './restic-failure.ts'
import { RestoreSize, readResticJson } from './restic-output.ts'

export interface DrillOptions {
  repository: Repository
  /** Where to restore; holds nothing else. */
  folder: string
  drive: Pick<Drive, 'space'>
  params: Pick<z.output<typeof DrillParams>, 'snapshotId' | 'paths' | 'apart'>
  signal: AbortSignal
}

export async function runDrill({ repository, folder, drive, params, signal }: DrillOptions): Promise<DrillResult> {
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
    let warnings = 0
    await repository.run(['restore', snapshotId, '--target', folder], {
      onErrorLine(line) {
        if (line.trim() !== '') warnings += 1
      },
    })
    const places = params.paths.map((path) => readPath(path).join('/') || '.')
    const { root, files } = await readManifest({ root: folder, places, key: await repository.id(), apart, signal })
    const { bytes } = await measureTree(folder)
    return { outcome: 'done', root, files, bytes, warnings, durationMs: Math.round(performance.now() - begunAt) }
  } finally {
    await clearDrill(folder)
    claim.release()
  }
}

/** Removes what a drill left that was killed. */
export async function clearDrill(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
