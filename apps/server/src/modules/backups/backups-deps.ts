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
  agents: Pick<Agents, 'listAgents' | 'requestTask' | 'cancelTask' | 'listTasks' | 'listOpenTasks' | 'readParams'>
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
  /** Until when forgotten snapshots, given by their file names, can be taken back; those that are gone are left out. */
  listTrashUntil(
    db: Db,
    of: { repositoryId: string; owner: string; names: readonly string[]; quota: number | null },
  ): Promise<Map<string, Date>>
  /** The same of all that `by` took of a repository. */
  findTrashUntil(
    db: Db,
    of: { repositoryId: string; owner: string; by: string; quota: number | null },
  ): Promise<Date | undefined>
  /** With all that it needs; false: bytes are gone. */
  bringBackSnapshot(trx: Trx, of: { repositoryId: string; name: string }): Promise<boolean>
  mail: Pick<Mail, 'post'>
  usageOf(db: Db, of: { accountId: string } | { repositoryId: string }): Promise<VaultUsage>
  /** The bytes that a repository holds have changed; they are metered from now on. */
  onHeld(trx: Trx, held: { repositoryId: string; clusterId: string; owner: string; bytes: number }): Promise<void>
  /** The clusters of an account that are not gone, with their masters. */
  listOwnMasters(db: Db, owner: string): Promise<OwnMaster[]>
  /** The cluster whose master the caller proves to be; undefined: the proof is not valid. */
  proveMaster(db: Db, proof: { instanceId: string; agentToken: string }): Promise<{ clusterId: string } | undefined>
  /** Names of clusters, including those that are gone. */
  listClusterNames(db: Db, clusterIds: readonly string[]): Promise<{ clusterId: string; clusterName: string }[]>
  /** The first of these clusters that is activated and neither stopped nor gone: it uses its owner's ID (spec §8). */
  findActiveCluster(
    db: Db,
    clusterIds: readonly string[],
  ): Promise<{ clusterId: string; clusterName: string } | undefined>
  /** A repository is another cluster's from now on. */
  moveRepository(trx: Trx, of: { repositoryId: string; clusterId: string }): Promise<void>
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
