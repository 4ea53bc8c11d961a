/** The vault: where copies are kept, who may reach them, and what they take. Speaks restic's REST protocol. */
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { listBadFiles, listSnapshotFiles, restoreTrash, type SnapshotFile, trashFiles } from './records/file-store.ts'
import { endGrants, endGrantsOf, insertGrant, type NewGrant } from './records/grant-store.ts'
import { openRepository } from './records/repository-store.ts'
import { usageOf } from './records/usage-store.ts'

export type { NewGrant } from './records/grant-store.ts'
export type { VaultUsage } from './records/usage-store.ts'
export type { FileType, Right } from './records/vault-tables.ts'
export type { SnapshotFile }
export { listBadFiles, listSnapshotFiles, usageOf }

export interface VaultDeps {
  db: Db
  clock: Clock
  config: {
    /** Without a slash at its end. */
    vaultUrl: string
  }
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
}

export function createVault({ clock, config }: VaultDeps): Vault {
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
  }
}
