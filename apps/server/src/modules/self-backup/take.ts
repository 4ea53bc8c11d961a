import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { type Erased, noteErased, readErased } from '../../platform/careful/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DatabaseConnection, Db } from '../../platform/db/index.ts'
import { findFact, processFolderFact } from '../../platform/facts/index.ts'
import { countAudited } from '../audit/index.ts'
import { copySettings } from './copy-settings.ts'
import { resticTime, storeDump } from './dump.ts'
import { copyDatabase, copyTree, withOnlyBackup } from './hot-copy.ts'
import { tidyHalfDumps } from './leftovers.ts'
import { type Manifest, manifestFile } from './manifest.ts'
import { findKeyFile } from './own-key.ts'
import { requireRepository } from './repository.ts'
import { askRestic, type ResticRepository, snapshotOf } from './restic.ts'
import { saveTakenAt } from './taken-at.ts'

export interface TakeDeps {
  db: Db
  clock: Clock
  connection: DatabaseConnection
  dataDir: string
  catalogFile: string
  /** Folder with the settings of this machine; undefined: the settings are elsewhere. */
  settingsDir: string | undefined
  /** The key that a setting gives: it stays out of what is copied from `settingsDir`. */
  secretKey: string | undefined
  to: ResticRepository
  /** All accounts that were erased: another worker's are not in this one's data folder. */
  listErased(db: Db): Promise<Erased[]>
}

/**
 * Copies database, key, catalogue, settings and outbox into one folder and passes it to restic, always at the same
 * path, so that only changes are stored. A database other than the embedded one is not copied: its dump is a separate
 * snapshot of the same time, which the manifest names. Refused while another backup is under way. `hasKey`: the secret
 * key is included; one that comes from a setting is not. `leftovers`: a line for each that a killed backup left.
 */
export async function takeSelfBackup(
  deps: TakeDeps,
  signal?: AbortSignal,
): Promise<{ snapshotId: string; hasKey: boolean; leftovers: string[] }> {
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
      // Before the copy: it has these at least.
      const auditRecords = await countAudited(db)
      await mkdir(draft, { recursive: true, mode: 0o700 })
      const dump = await copyOrDump(deps, client, { draft, takenAt, signal })
      const manifest: Manifest = {
        format: 1,
        takenAt: takenAt.toISOString(),
        folderId: (await findFact(db, processFolderFact)) ?? null,
        auditRecords,
        hasKey,
        ...(dump !== undefined && { dump }),
      }
      await writeFile(join(draft, manifestFile), JSON.stringify(manifest), { mode: 0o600 })
      if (key !== undefined) await copyFile(key, join(draft, 'secret.key'))
      await noteErased(draft, ...(await readErased(dataDir)), ...(await deps.listErased(db)))
      await copyTree(join(dataDir, 'outbox'), join(draft, 'outbox'))
      await mkdir(join(draft, 'catalog'))
      await copyFile(deps.catalogFile, join(draft, 'catalog', 'catalog.yaml'))
      if (deps.settingsDir !== undefined) await copySettings(deps.settingsDir, join(draft, 'settings'), deps.secretKey)
      const snapshotId = await store(to, draft, takenAt, signal)
      await saveTakenAt(db, takenAt)
      return { snapshotId, hasKey, leftovers: await tidyHalfDumps(to, takenAt) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** The embedded database copied into `draft`, or the snapshot of a dump of another. */
async function copyOrDump(
  { connection, dataDir, to }: TakeDeps,
  client: Client,
  { draft, takenAt, signal }: { draft: string; takenAt: Date; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  if ('connectionString' in connection)
    return await storeDump(to, { url: connection.connectionString, takenAt, signal })
  await copyDatabase(client, join(dataDir, 'postgres', 'data'), join(draft, 'database'))
  return undefined
}

/** The snapshot's id. A file that could not be read makes it no backup: restic's 3 is an error here. */
async function store(
  to: ResticRepository,
  folder: string,
  takenAt: Date,
  signal: AbortSignal | undefined,
): Promise<string> {
  // The time is that of the dump's: `restic forget` then keeps both or neither.
  const args = ['backup', '--json', '--host', 'atoll', '--tag', 'atoll-self', '--time', resticTime(takenAt), '.']
  return snapshotOf(await askRestic(to, args, { cwd: folder, ...(signal && { signal }) }))
}
