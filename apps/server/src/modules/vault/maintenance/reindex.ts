/**
 * Makes rows of files that have none, as after the database was restored from an older copy: each is read and hashed
 * first, and only a sound one gets a row. A repository that no row names is its owner's by the file beside it, and its
 * plan is made again. Of rows only those of locks whose file is gone are removed, so it may run beside vaults, and
 * again.
 */
import { createHash } from 'node:crypto'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { createDriver, type VaultPlace } from '../drivers/create-driver.ts'
import { isContentKept, keepFile } from '../records/file-keeping.ts'
import { removeLostLock } from '../records/file-removal.ts'
import { listFiles } from '../records/file-store.ts'
import { findRepository, insertRepository } from '../records/repository-store.ts'
import { requestScrubOf } from '../records/scrub-store.ts'
import { unfinished } from '../records/unfinished.ts'
import { addUsage } from '../records/usage-store.ts'
import type { VaultDriver } from '../vault-driver.ts'
import type { FileKey } from '../vault-tables.ts'
import { fileTypes } from '../vault-tables.ts'

/** The right under which a lock without a row came is not known any more, and with it goes its lock. */
const adopted = fileTypes.filter((type) => type !== 'locks')
/** Of each of a few grants there are eight at most. */
const mostLocks = 1000

export interface Reindexed {
  repositories: number
  /** Files that got a row. */
  added: number
  /** Files that are not what their name says, as paths inside the vault; they got none. */
  damaged: string[]
  /** Plans that were made again, by their names. */
  plans: string[]
  /** Repositories that no row names and no plan could be made for. */
  unknown: { repositoryId: string; why: string }[]
}

/** Whose a repository is that no row names, or why nobody knows. */
export type UnknownRepository = { owner: string; clusterId: string; createdAt: Date; plan: string } | { why: string }

export interface ReindexDeps {
  db: Db
  place: VaultPlace
  now: Date
  /** Makes the plan of an unknown repository again from the file beside it; absent: all stay unknown. */
  makePlan?: (trx: Trx, of: { repositoryId: string; text: string | undefined }) => Promise<UnknownRepository>
}

/** A row without a file is found by reading, which is requested at once. */
export async function reindexVault(deps: ReindexDeps): Promise<Reindexed> {
  const { db, place, now } = deps
  const driver = createDriver(db, place)
  const result: Reindexed = { repositories: 0, added: 0, damaged: [], plans: [], unknown: [] }
  for await (const repositoryId of driver.listRepositories()) {
    if (!(await findRepository(db, repositoryId))) {
      const made = await makeRepository(deps, driver, repositoryId)
      if ('why' in made) {
        result.unknown.push({ repositoryId, why: made.why })
        continue
      }
      result.plans.push(made.plan)
    }
    const repository = await findRepository(db, repositoryId)
    if (!repository) continue
    result.repositories += 1
    await dropLostLocks(db, driver, repository, now)
    for (const type of adopted)
      for await (const name of driver.listNames(repositoryId, type)) {
        const added = await adopt(db, driver, { repositoryId, type, name }, repository)
        if (added === 'added') result.added += 1
        if (added === 'damaged') result.damaged.push(`${repositoryId}/${type === 'config' ? type : `${type}/${name}`}`)
      }
    await requestScrubOf(db, repositoryId, now)
  }
  return result
}

/** With its plan, or not at all. */
async function makeRepository(
  { db, makePlan }: ReindexDeps,
  driver: VaultDriver,
  repositoryId: string,
): Promise<UnknownRepository> {
  const text = await driver.readPlanFile(repositoryId)
  return await db.transaction().execute(async (trx) => {
    const made = (await makePlan?.(trx, { repositoryId, text })) ?? { why: 'nobody was asked whose it is' }
    if (!('why' in made)) await insertRepository(trx, { repositoryId, accountId: made.owner, ...made }, made.createdAt)
    return made
  })
}

/** A lock of a run that was under way in the copy of the database: who listed and did not get it would not begin. */
async function dropLostLocks(
  db: Db,
  driver: VaultDriver,
  { id: repositoryId, owner }: { id: string; owner: string },
  now: Date,
): Promise<void> {
  const locks = await listFiles(db, { repositoryId, type: 'locks', after: '', limit: mostLocks })
  for (const { name } of locks) {
    const lock = { repositoryId, type: 'locks' as const, name }
    const stored = await driver.open(lock)
    if (stored) await stored.close()
    else await removeLostLock(driver, db, { ...lock, owner }, now)
  }
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
  const kept: Buffer[] = []
  try {
    for await (const chunk of stored.read()) {
      hash.update(chunk)
      if (isContentKept(key.type, stored.bytes)) kept.push(Buffer.from(chunk))
    }
  } finally {
    await stored.close()
  }
  const sha256 = hash.digest('hex')
  const expected = key.type === 'config' ? (config_sha256 ?? sha256) : key.name
  if (sha256 !== expected) return 'damaged'
  return await db.transaction().execute(async (trx) => {
    // One that came as an upload meanwhile, or is trash, stays as it is.
    if (await isKnown(trx, key)) return 'known'
    const content = isContentKept(key.type, stored.bytes) ? Buffer.concat(kept) : null
    const file = { ...key, bytes: stored.bytes, sha256, content, grantId: null }
    const change = await keepFile(trx, file, stored.storedAt)
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
