/**
 * Objects in the vault that no row names, removed as strays of any kind are (platform/strays): `vr_…`, a repository,
 * and `vr_…/TYPE/NAME`, a file of a known repository.
 *   repository  if we signed the file beside it, this database is older than the vault, which is evidence
 *   file        in the end it becomes trash of its owner, as an unfinished upload does: for 14 days more an upload of
 *               the same file, or reindexing, restores it
 *
 * One of the vaults looks for them once a day, and within a minute after the operator ordered a removal.
 */
import { sql } from 'kysely'
import { noteEvidence } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { advanceFact } from '../../../platform/facts/index.ts'
import type { Log } from '../../../platform/log.ts'
import { isStrayDoomed, maintainStrays } from '../../../platform/strays/index.ts'
import { findRepository } from '../records/repository-store.ts'
import { trashUnfinished } from '../records/unfinished.ts'
import { ifTrouble } from '../store-trouble.ts'
import type { VaultDriver } from '../vault-driver.ts'
import { type FileKey, type FileType, fileTypes } from '../vault-tables.ts'
import type { PlanFileDeps } from './plan-files.ts'

export interface VaultStrayDeps extends Pick<PlanFileDeps, 'planFiles'> {
  db: Db
  clock: Clock
  log: Log
  driver: VaultDriver
  /** How long a stray is kept, ms. */
  strayMs: number
}

const place = 'vault'
const dayMs = 24 * 3600_000
/** One that is younger may have its row in a moment, ms. */
const youngMs = 3600_000
/** Names that are compared with rows at a time. */
const batchNames = 1000
/** Listed at a time; those after them are found once these are gone. */
const mostStrays = 10_000

/** Looks for strays where that is due; `signal` ends it between two repositories, and changes nothing then. */
export async function maintainVaultStrays(deps: VaultStrayDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock, log, strayMs: keepMs } = deps
  if (!(await takeTurn(db, clock.now()))) return
  const unknown: string[] = []
  for await (const repositoryId of deps.driver.listRepositories()) {
    if (signal?.aborted) return
    if (unknown.length >= mostStrays) break
    unknown.push(...(await inspectRepository(deps, repositoryId, mostStrays - unknown.length)))
  }
  const found = { kind: 'files', place, source: 'vault', remove: (object: string) => remove(deps, object) } as const
  await maintainStrays(db, found, unknown, { now: clock.now(), keepMs, log })
}

/** True for one of all vaults, once a day or at the operator's word. */
async function takeTurn(db: Db, now: Date): Promise<boolean> {
  const before = (await isStrayDoomed(db, place)) ? now : new Date(now.getTime() - dayMs)
  return await advanceFact(db, 'vault strays', { to: now, ifUntil: before })
}

async function inspectRepository(deps: VaultStrayDeps, repositoryId: string, most: number): Promise<string[]> {
  const { db, clock, driver, planFiles } = deps
  if (!(await findRepository(db, repositoryId))) {
    const plan = planFiles?.describe((await driver.readPlanFile(repositoryId)) ?? '')
    if (plan !== undefined) {
      const detail = `${repositoryId} is of ${plan}, which this database does not know: npm run vault:reindex`
      await noteEvidence(db, { about: 'vault', object: repositoryId, detail, now: clock.now() })
    }
    return [repositoryId]
  }
  const unknown: string[] = []
  for (const type of fileTypes)
    for await (const names of batchesOf(driver.listNames(repositoryId, type))) {
      for (const name of await withoutRow(db, { repositoryId, type, names }))
        if (await isOld(deps, { repositoryId, type, name })) unknown.push(`${repositoryId}/${type}/${name}`)
      if (unknown.length >= most) return unknown.slice(0, most)
    }
  return unknown
}

async function* batchesOf(names: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = []
  for await (const name of names) {
    batch.push(name)
    if (batch.length < batchNames) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Neither kept, nor trash, nor on its way. Names were listed before rows are read. */
async function withoutRow(
  db: Db,
  { repositoryId, type, names }: { repositoryId: string; type: FileType; names: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as there (name)
    where not exists (select from vault_files f where f.repo_id = ${repositoryId} and f.type = ${type} and f.name = there.name)
      and not exists (select from vault_uploads u where u.repo_id = ${repositoryId} and u.type = ${type} and u.name = there.name)
    `.execute(db)
  return rows.map(({ name }) => name)
}

async function isOld({ driver, clock, log }: VaultStrayDeps, key: FileKey): Promise<boolean> {
  const stored = await driver.open(key).catch(ifTrouble(log, key, undefined))
  if (!stored) return false
  await stored.close()
  return clock.now().getTime() - stored.storedAt.getTime() > youngMs
}

async function remove({ db, driver, clock, log }: VaultStrayDeps, object: string): Promise<void> {
  const [repositoryId = '', type, name] = object.split('/')
  const known = await findRepository(db, repositoryId)
  if (name !== undefined) {
    const key = { repositoryId, type: type as FileType, name } // of `inspectRepository`'s making
    const stored = known && (await driver.open(key).catch(ifTrouble(log, key, undefined)))
    if (!stored) return
    await stored.close()
    // Nobody can use a lock whose right is not known.
    if (key.type === 'locks') return await driver.remove(key)
    return await trashUnfinished(db, { ...key, bytes: stored.bytes }, clock.now())
  }
  // It has a row by now.
  if (known) return
  // The config last: what was cut short is a repository still, and found again.
  for (const kind of fileTypes.toReversed())
    for await (const file of driver.listNames(repositoryId, kind))
      await driver.remove({ repositoryId, type: kind, name: file })
  await driver.writePlanFile(repositoryId, null)
  await driver.dropRepository(repositoryId)
}
