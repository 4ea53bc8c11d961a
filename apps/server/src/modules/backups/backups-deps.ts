import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Agents } from '../agents/index.ts'
import type { OwnMaster } from '../clusters/index.ts'
import type { SnapshotFile, Vault, VaultUsage } from '../vault/index.ts'

export interface BackupDeps {
  db: Db
  clock: Clock
  config: {
    /** Runs at a time, of all accounts; others wait. */
    vaultRuns: number
  }
  agents: Pick<Agents, 'listAgents' | 'requestTask' | 'cancelTask' | 'listTasks'>
  vault: Vault
  listSnapshotFiles(db: Db, repositoryId: string): Promise<SnapshotFile[]>
  usageOf(db: Db, of: { accountId: string } | { repositoryId: string }): Promise<VaultUsage>
  /** The clusters of an account that are not gone, with their masters. */
  listOwnMasters(db: Db, owner: string): Promise<OwnMaster[]>
  /** What clusters are called, those that are gone among them. */
  listClusterNames(db: Db, clusterIds: readonly string[]): Promise<{ clusterId: string; clusterName: string }[]>
  /** Locks the account: what counts, names or schedules its backups does so one after another. */
  lockAccount(trx: Trx, owner: string): Promise<unknown>
  /** Bytes of backups that the account's plan includes. */
  quotaOf(db: Db, owner: string): Promise<number>
}
