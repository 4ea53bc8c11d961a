import type { DamagedFile } from '@atoll/contract/backups'
import type { Currency } from '@atoll/money'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Agents } from '../agents/index.ts'
import type { DrillClusters, OwnMaster } from '../clusters/index.ts'
import type { Mail } from '../mail/index.ts'
import type { SnapshotFile, Vault, VaultUsage } from '../vault/index.ts'
import type { CloudStore } from './clients/cloud-store.ts'

export interface BackupDeps {
  db: Db
  clock: Clock
  config: {
    /** Runs at a time, of all accounts; others wait. */
    vaultRuns: number
    product: string
  }
  /** Where personal servers store backups themselves; undefined: nowhere. */
  cloudStore: CloudStore | undefined
  agents: Pick<Agents, 'listAgents' | 'requestTask' | 'cancelTask' | 'listTasks'>
  vault: Vault
  listSnapshotFiles(db: Db, repositoryId: string): Promise<SnapshotFile[]>
  /** The first of the live files that differ from what came. */
  listBadFiles(
    db: Db,
    repositoryId: string,
    limit: number,
  ): Promise<{ type: DamagedFile['type']; name: string; bytes: number; storedAt: Date }[]>
  /** Of the live files of a repository: those that the vault has not read since `since`, and those that differ. */
  scrubLeft(db: Db, repositoryId: string, since: Date): Promise<{ left: number; bad: number; files: number }>
  mail: Pick<Mail, 'post'>
  usageOf(db: Db, of: { accountId: string } | { repositoryId: string }): Promise<VaultUsage>
  /** What a repository holds has changed: that is metered from now on. */
  onHeld(trx: Trx, held: { repositoryId: string; clusterId: string; owner: string; bytes: number }): Promise<void>
  /** The clusters of an account that are not gone, with their masters. */
  listOwnMasters(db: Db, owner: string): Promise<OwnMaster[]>
  /** The cluster whose master proves to be who asks; undefined: nobody's. */
  proveMaster(db: Db, proof: { instanceId: string; agentToken: string }): Promise<{ clusterId: string } | undefined>
  /** What clusters are called, those that are gone among them. */
  listClusterNames(db: Db, clusterIds: readonly string[]): Promise<{ clusterId: string; clusterName: string }[]>
  /** Whether an activated cluster uses the account's ID, so that none may be restored from a backup (spec §8). */
  hasActiveCluster(db: Db, owner: string): Promise<boolean>
  drills: DrillClusters
  /** Whether the account's plan has drills, and what it pays in. */
  drillTerms(db: Db, owner: string): Promise<{ hasDrills: boolean; currency: Currency }>
  /** Enqueues a reconcile of the cluster. */
  wakeCluster(trx: Trx, clusterId: string): Promise<void>
  /** Locks the account: what counts, names or schedules its backups does so one after another. */
  lockAccount(trx: Trx, owner: string): Promise<unknown>
  /** Bytes of backups that the account's plan includes. */
  quotaOf(db: Db, owner: string): Promise<number>
}
