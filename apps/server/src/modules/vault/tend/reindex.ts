/**
 * Makes rows of files that have none, as after the database was restored from an older copy: each is read and hashed
 * first, and only a sound one gets a row. Rows are never changed or removed, so it may run beside vaults, and again.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../../../platform/db/index.ts'
import { createDriver, type VaultPlace } from '../drivers/create-driver.ts'
import type { VaultDriver } from '../drivers/vault-driver.ts'
import { keepFile } from '../records/file-keeping.ts'
import { findRepository } from '../records/repository-store.ts'
import { requestScrubOf } from '../records/scrub-store.ts'
import { unfinished } from '../records/unfinished.ts'
import { addUsage } from '../records/usage-store.ts'
import type { FileKey } from '../records/vault-tables.ts'
import { fileTypes } from '../records/vault-tables.ts'

export interface Reindexed {
  repositories: number
  /** Files that got a row. */
  added: number
  /** Files that are not what their name says, as paths inside the vault; they got none. */
  damaged: string[]
  /** Places of repositories that no row names: whose they are is not known. */
  unknown: string[]
}

/** A row without a file is found by reading, which is requested at once. */
export async function reindexVault({ db, place, now }: { db: Db; place: VaultPlace; now: Date }): Promise<Reindexed> {
  const driver = createDriver(db, place)
  const result: Reindexed = { repositories: 0, added: 0, damaged: [], unknown: [] }
  for await (const repositoryId of driver.listRepositories()) {
    const repository = await findRepository(db, repositoryId)
    if (!repository) {
      result.unknown.push(repositoryId)
      continue
    }
    result.repositories += 1
    for (const type of fileTypes)
      for await (const name of driver.listNames(repositoryId, type)) {
        const added = await adopt(db, driver, { repositoryId, type, name }, repository)
        if (added === 'added') result.added += 1
        if (added === 'damaged') result.damaged.push(`${repositoryId}/${type === 'config' ? type : `${type}/${name}`}`)
      }
    await requestScrubOf(db, repositoryId, now)
  }
  return result
}

async function adopt(
  db: Db,
  driver: VaultDriver,
  key: FileKey,
  { owner, config_sha256 }: { owner: string; config_sha256: string | null },
): Promise<'known' | 'added' | 'damaged'> {
  if (await isKnown(db, key)) return 'known'
  const stored = await driver.open(key)
  // Removed since it was listed.
  if (!stored) return 'known'
  const hash = createHash('sha256')
  try {
    for await (const chunk of stored.read()) hash.update(chunk)
  } finally {
    await stored.close()
  }
  const sha256 = hash.digest('hex')
  const expected = key.type === 'config' ? (config_sha256 ?? sha256) : key.name
  if (sha256 !== expected) return 'damaged'
  return await db.transaction().execute(async (trx) => {
    // One that came as an upload meanwhile, or is trash, stays as it is.
    if (await isKnown(trx, key)) return 'known'
    const change = await keepFile(trx, { ...key, bytes: stored.bytes, sha256 }, stored.storedAt)
    if (change === 'exists') return 'known'
    await addUsage(trx, owner, change)
    return 'added'
  })
}

async function isKnown(db: Db, { repositoryId, type, name }: FileKey): Promise<boolean> {
  const row = await db
    .selectFrom('vault_files')
    .select('name')
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .where((eb) => eb.or([eb('trashed_by', 'is', null), eb('trashed_by', '!=', unfinished)]))
    .executeTakeFirst()
  return row !== undefined
}
