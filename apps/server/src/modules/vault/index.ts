/** The vault: where copies are kept, who may reach them, and what they take. Speaks restic's REST protocol. */
import type { Clock } from '../../platform/clock.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import { createDriver, type VaultPlace } from './drivers/create-driver.ts'
import { createDiskGuard } from './listener/disk-guard.ts'
import { createQuotaReader } from './listener/quota-reader.ts'
import { createVaultServer } from './listener/vault-server.ts'
import type { TlsFiles } from './listener/vault-tls.ts'
import { listBadFiles, listSnapshotFiles, restoreTrash, type SnapshotFile, trashFiles } from './records/file-store.ts'
import { endGrants, endGrantsOf, insertGrant, type NewGrant } from './records/grant-store.ts'
import { openRepository } from './records/repository-store.ts'
import { requestScrubOf, scrubLeft } from './records/scrub-store.ts'
import { usageOf } from './records/usage-store.ts'
import { listRepositoryLevels, readFigures, type VaultFigures } from './records/vault-figures.ts'
import { reindexVault } from './tend/reindex.ts'
import type { DamagedFile } from './tend/scrub.ts'
import { startTender, type Tender } from './tend/vault-tender.ts'
import { createVaultCounts, type VaultCounts } from './vault-counts.ts'

export type { NewGrant } from './records/grant-store.ts'
export type { VaultUsage } from './records/usage-store.ts'
export type { Right } from './records/vault-tables.ts'
export type { SnapshotFile }
export { listBadFiles, listRepositoryLevels, listSnapshotFiles, reindexVault, restoreTrash, scrubLeft, usageOf }

export interface VaultMeasured {
  all: VaultFigures
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
  } & VaultPlace
  /** Bytes that an account may keep; null: more is charged. Asked at most every ten seconds per account. */
  readQuota(db: Db, owner: string): Promise<number | null>
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
  /** Takes back all that a task was granted. */
  endGrants(trx: Trx, of: { taskId: string }): Promise<void>
  /** Takes back every grant of a repository and makes trash of all its files; `by` names who, for `restore`. */
  trash(trx: Trx, of: { repositoryId: string; by: string }): Promise<{ trashed: number }>
  /**
   * Brings back what `by` took: the grant under which files were deleted, or who called `trash`. `lost`: files whose
   * bytes are gone (after 14 days, sooner when an account has more trash than quota).
   */
  restore(trx: Trx, of: { repositoryId: string; by: string }): Promise<{ restored: number; lost: number }>
  /** Has all files of a repository read again soon; damage is reported to `onDamaged`. */
  scrub(db: Db, repositoryId: string): Promise<void>
  /** Bytes that the account may keep; null: more is charged. */
  quotaOf(owner: string): Promise<number | null>
  /**
   * Answers restic, and tends what is kept. Resolves with the port, which differs from the one asked for if that was 0.
   */
  listen(port: number): Promise<number>
  /** Lets what is under way finish for `graceMs` (default 5 s), then cuts. */
  close(graceMs?: number): Promise<void>
  /** For measurements: of all vaults, and where this process is one what it did. */
  measure(): Promise<VaultMeasured>
}

export function createVault({ db, clock, log, config, readQuota, onDamaged }: VaultDeps): Vault {
  const driver = createDriver(db, config)
  const disk = createDiskGuard(driver)
  const counts = createVaultCounts()
  // Of this process and this start: what an earlier one reserved is not ours.
  const holder = randomToken(15)
  const quotaOf = createQuotaReader((owner) => readQuota(db, owner))
  const uploads = new Set<string>()
  const inner = { db, clock, log, driver, disk, counts, holder, uploads, readQuota: quotaOf, onDamaged, config }
  const server = createVaultServer(inner)
  let tender: Tender | undefined
  return {
    openRepository: (trx, of) => openRepository(trx, of, clock.now()),
    async grant(trx, grant) {
      const granted = await insertGrant(trx, grant, clock.now())
      return { url: `${config.vaultUrl}/${grant.repositoryId}/`, ...granted }
    },
    endGrants,
    async trash(trx, of) {
      await endGrantsOf(trx, of.repositoryId)
      return { trashed: await trashFiles(trx, of, clock.now()) }
    },
    restore: restoreTrash,
    async scrub(from, repositoryId) {
      await requestScrubOf(from, repositoryId, clock.now())
    },
    quotaOf,
    async listen(port) {
      tender = await startTender(inner)
      return await server.listen(port)
    },
    async close(graceMs = 5000) {
      await server.close(graceMs)
      await tender?.stop()
    },
    async measure() {
      const all = await readFigures(db, clock.now())
      return { all, here: tender && { ...counts.read(), diskLeft: await disk.left() } }
    },
  }
}
