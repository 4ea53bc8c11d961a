/** The vault: where copies are kept, who may reach them, and what they take. Speaks restic's REST protocol. */
import type { Clock } from '../../platform/clock.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Place } from '../../platform/listening.ts'
import type { Log } from '../../platform/log.ts'
import { createDriver, type VaultPlace } from './drivers/create-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { createQuotaReader } from './listener/quota-reader.ts'
import { createVaultServer } from './listener/vault-server.ts'
import type { TlsFiles } from './listener/vault-tls.ts'
import type { PlanFiles } from './maintenance/plan-files.ts'
import { findPruneRoom } from './maintenance/prune-room.ts'
import { type Reindexed, reindexVault, type UnknownRepository } from './maintenance/reindex.ts'
import { findReserve } from './maintenance/reserve.ts'
import type { DamagedFile } from './maintenance/scrub.ts'
import { type Maintenance, startMaintenance } from './maintenance/vault-maintenance.ts'
import { removal, requestRemovalOf } from './records/file-removal.ts'
import { listBadFiles, listSnapshotFiles, restoreTrash, type SnapshotFile, trashFiles } from './records/file-store.ts'
import { findReturn, goBack, undoReturn } from './records/go-back.ts'
import { findNamedFile, listGrantHistory } from './records/grant-history.ts'
import {
  endGrants,
  endGrantsOf,
  findRefused,
  type GrantLengths,
  insertGrant,
  type NewGrant,
  renewGrants,
} from './records/grant-store.ts'
import { findKey, listRepositories, moveRepository, openRepository } from './records/repository-store.ts'
import { requestScrubOf, scrubLeft } from './records/scrub-store.ts'
import { bringBackSnapshot, findTrashUntil, listTrashUntil } from './records/snapshot-trash.ts'
import { usageOf } from './records/usage-store.ts'
import { listRepositoryLevels, readFigures, type VaultFigures } from './records/vault-figures.ts'
import { createVaultCounts, type VaultCounts } from './vault-counts.ts'

export type { NamedFile } from './records/grant-history.ts'
export type { NewGrant } from './records/grant-store.ts'
export type { VaultUsage } from './records/usage-store.ts'
export { vaultTimes } from './stored-times.ts'
export type { Right } from './vault-tables.ts'
export type { PlanFiles, Reindexed, SnapshotFile, UnknownRepository, VaultPlace }
export {
  bringBackSnapshot,
  endGrants,
  findNamedFile,
  findReserve,
  findReturn,
  findTrashUntil,
  goBack,
  listBadFiles,
  listGrantHistory,
  listRepositoryLevels,
  listSnapshotFiles,
  listTrashUntil,
  moveRepository,
  reindexVault,
  restoreTrash,
  scrubLeft,
  undoReturn,
  usageOf,
}

export interface VaultMeasured {
  /** `isAtReserve`: the disk is so full that backups are refused. */
  all: VaultFigures & { isAtReserve: boolean }
  /** `diskLeft`: bytes that may still come; null: no end. */
  here: (ReturnType<VaultCounts['read']> & { diskLeft: number | null }) | undefined
}

export interface VaultDeps {
  db: Db
  clock: Clock
  log: Log
  config: {
    host: string
    /** Without a slash at its end. */
    vaultUrl: string
    /** Of its own port; undefined: plain HTTP. */
    vaultTls?: TlsFiles | undefined
    /** How many times as many requests are let through as built in; left out, 1. */
    rateFactor?: number
  } & VaultPlace
  /** Bytes that an account may keep; null: more is charged. Asked at most every ten seconds per account. */
  readQuota(db: Db, owner: string): Promise<number | null>
  /** Content of the file beside each repository; absent: there are none. */
  planFiles?: PlanFiles
  /** How long a file is kept that no row names, ms. */
  strayMs: number
  /** Before what is over is removed: compares the clock. */
  beforeSweep?: () => Promise<void>
  /** Hears of each file that turns out to be damaged, once, in the transaction that marks it. */
  onDamaged(trx: Trx, file: DamagedFile): Promise<void>
}

export interface Vault {
  /** A new, empty repository `vr_…` of this account. */
  openRepository(trx: Trx, of: { accountId: string; clusterId: string }): Promise<{ repositoryId: string }>
  /**
   * The right to reach one repository until `until`: basic auth with `grantId` and `token` at `url`, which ends in a
   * slash. The token is said once and kept as a hash.
   */
  grant(trx: Trx, grant: NewGrant): Promise<{ url: string; grantId: string; token: string }>
  /** Has what a task was granted last as long again, where less than half of that is left; see `renewGrants`. */
  renewGrants(trx: Trx, of: { taskId: string; lengths: GrantLengths }): Promise<void>
  /** Takes back all that a task was granted. */
  endGrants(trx: Trx, of: { taskId: string }): Promise<void>
  /** Takes back every grant of a repository and makes trash of all its files; `by` names who, for `restore`. */
  trash(trx: Trx, of: { repositoryId: string; by: string }): Promise<{ trashed: number }>
  /** The same of all repositories of an account, whose bytes go at once. */
  removeAll(trx: Trx, of: { owner: string }): Promise<void>
  /**
   * Brings back what `by` took: the grant under which files were deleted, or who called `trash`. `lost`: files whose
   * bytes are gone (after 14 days, sooner when an account has more trash than quota).
   */
  restore(trx: Trx, of: { repositoryId: string; by: string }): Promise<{ restored: number; lost: number }>
  /** Makes trash of these snapshots (names of 64 hex characters): they are forgotten. `by` names who. */
  forget(trx: Trx, of: { repositoryId: string; by: string; names: readonly string[] }): Promise<void>
  /** Name of the key that a repository got next after the one named `after`, or first; undefined: there is none. */
  findKey(db: Db, of: { repositoryId: string; after?: string }): Promise<string | undefined>
  /** Has all files of a repository read again soon; damage is reported to `onDamaged`. */
  scrub(db: Db, repositoryId: string): Promise<void>
  /** Bytes that the account may keep; null: more is charged. */
  quotaOf(owner: string): Promise<number | null>
  /**
   * Answers restic, and tends what is kept. Resolves with the port, which differs from the one asked for if that was 0.
   */
  listen(place: Place): Promise<number>
  /** Lets what is under way finish for `graceMs` (default 5 s), then cuts. */
  close(graceMs?: number): Promise<void>
  /** Whether the disk of the vault is so full that backups are refused. */
  isAtReserve(db: Db): Promise<boolean>
  /** Bytes that a prune of this account may move; undefined: no limit. */
  pruneRoom(db: Db, owner: string): Promise<number | undefined>
  /** Whose room was short when a file of this task was last refused; undefined: none was refused. */
  findRefused(db: Db, taskId: string): Promise<'quota' | 'disk' | undefined>
  /** A warning to the operator about the room that is left; undefined: none. */
  describeRoom(): Promise<string | undefined>
  /** For measurements: of all vaults, and where this process is one what it did. */
  measure(): Promise<VaultMeasured>
}

export function createVault({ db, clock, log, config, readQuota, onDamaged, ...more }: VaultDeps): Vault {
  const driver = createDriver(db, config)
  const disk = createDiskGuard(driver)
  const counts = createVaultCounts()
  // Of this process and this start: what an earlier one reserved is not ours.
  const holder = randomToken(15)
  const quotaOf = createQuotaReader((owner) => readQuota(db, owner))
  const uploads = new Set<string>()
  const inner = {
    db,
    clock,
    log,
    driver,
    disk,
    counts,
    holder,
    uploads,
    readQuota: quotaOf,
    onDamaged,
    config,
    ...more,
  }
  const server = createVaultServer(inner)
  let maintenance: Maintenance | undefined
  return {
    openRepository: (trx, of) => openRepository(trx, of, clock.now()),
    async grant(trx, grant) {
      const granted = await insertGrant(trx, grant, clock.now())
      return { url: `${config.vaultUrl}/${grant.repositoryId}/`, ...granted }
    },
    renewGrants: (trx, of) => renewGrants(trx, of, clock.now()),
    endGrants: (trx, of) => endGrants(trx, of, clock.now()),
    async trash(trx, of) {
      await endGrantsOf(trx, of.repositoryId, clock.now())
      return { trashed: await trashFiles(trx, of, clock.now()) }
    },
    async removeAll(trx, { owner }) {
      for (const repositoryId of await listRepositories(trx, owner)) {
        await endGrantsOf(trx, repositoryId, clock.now())
        await trashFiles(trx, { repositoryId, by: removal }, clock.now())
        await requestRemovalOf(trx, repositoryId, clock.now())
      }
    },
    restore: restoreTrash,
    async forget(trx, { repositoryId, by, names }) {
      await trashFiles(trx, { repositoryId, by, files: { type: 'snapshots', names } }, clock.now())
    },
    findKey,
    async scrub(from, repositoryId) {
      await requestScrubOf(from, repositoryId, clock.now())
    },
    quotaOf,
    async listen(place) {
      maintenance = await startMaintenance(inner)
      return await server.listen(place)
    },
    async close(graceMs = 5000) {
      await server.close(graceMs)
      await maintenance?.stop()
    },
    isAtReserve: async (from) => (await findReserve(from)) !== undefined,
    pruneRoom: (from, owner) => findPruneRoom({ db: from, quotaOf }, owner),
    findRefused,
    async describeRoom() {
      const since = await findReserve(db)
      return since && `the disk is at its reserve since ${since}: backups are refused, and trash goes after a day`
    },
    async measure() {
      const all = { ...(await readFigures(db, clock.now())), isAtReserve: (await findReserve(db)) !== undefined }
      return { all, here: maintenance && { ...counts.read(), diskLeft: await disk.left() } }
    },
  }
}
