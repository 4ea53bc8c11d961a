import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { DatabaseConnection, Db } from '../../platform/db/index.ts'
import { findFact, processFolderFact } from '../../platform/facts/index.ts'
import { countAudited } from '../audit/index.ts'
import { copyDatabase, copyTree, withOnlyBackup } from './hot-copy.ts'
import { type Manifest, manifestFile } from './manifest.ts'
import { findKeyFile } from './own-key.ts'
import { requireRepository } from './repository.ts'
import { askRestic, type ResticRepository } from './restic.ts'
import { saveTakenAt } from './taken-at.ts'

export interface TakeDeps {
  db: Db
  clock: Clock
  connection: DatabaseConnection
  dataDir: string
  catalogFile: string
  to: ResticRepository
}

/** What restic says at the end of a backup. */
const Summary = z.object({ message_type: z.literal('summary'), snapshot_id: z.string() })

/**
 * Copies database, key, catalogue and outbox beside each other and gives them to restic, always from the same path, so
 * that only what changed is stored. Refused while another is under way. `hasKey`: the secret key is in it; one that is
 * given by a setting is not.
 */
export async function takeSelfBackup(
  deps: TakeDeps,
  signal?: AbortSignal,
): Promise<{ snapshotId: string; hasKey: boolean }> {
  const { db, clock, dataDir, to } = deps
  await requireRepository(db, to)
  const folder = join(dataDir, 'self-backup')
  return await withOnlyBackup(deps.connection, async (client) => {
    // The key is in it; one that was killed left it behind.
    await rm(folder, { recursive: true, force: true })
    try {
      const takenAt = clock.now()
      const draft = join(folder, 'deployment')
      const key = await findKeyFile(db, dataDir)
      const hasKey = key !== undefined
      const manifest: Manifest = {
        format: 1,
        takenAt: takenAt.toISOString(),
        folderId: (await findFact(db, processFolderFact)) ?? null,
        auditRecords: await countAudited(db),
        hasKey,
      }
      await copyDatabase(client, join(dataDir, 'postgres', 'data'), join(draft, 'database'))
      await writeFile(join(draft, manifestFile), JSON.stringify(manifest), { mode: 0o600 })
      if (key !== undefined) await copyFile(key, join(draft, 'secret.key'))
      await copyTree(join(dataDir, 'outbox'), join(draft, 'outbox'))
      await mkdir(join(draft, 'catalog'))
      await copyFile(deps.catalogFile, join(draft, 'catalog', 'catalog.yaml'))
      const snapshotId = await store(to, draft, signal)
      await saveTakenAt(db, takenAt)
      return { snapshotId, hasKey }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** The snapshot's id. A file that could not be read makes it no backup: restic's 3 is an error here. */
async function store(to: ResticRepository, folder: string, signal: AbortSignal | undefined): Promise<string> {
  const args = ['backup', '--json', '--host', 'atoll', '--tag', 'atoll-self', '.']
  const said = await askRestic(to, args, { cwd: folder, ...(signal && { signal }) })
  for (const line of said.split('\n').filter((each) => each.includes('"summary"'))) {
    const summary = Summary.safeParse(JSON.parse(line))
    if (summary.success) return summary.data.snapshot_id
  }
  throw new Error('restic ended well and named no snapshot')
}
