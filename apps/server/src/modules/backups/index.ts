/** Backups of clusters: what is kept where and when, their runs, what is forgotten, and bringing files back. */
import { backupTaskKinds } from '@atoll/contract/agents'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishFleeting } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { AgentRef, AgentRow, AgentTask } from '../agents/index.ts'
import type { BackupDeps } from './backups-deps.ts'
import { createAwsStore } from './clients/drivers/aws/aws-store.ts'
import { storesMaintenance } from './clients/stores-maintain.ts'
import { backupReconcile } from './reconcile/backup-reconcile.ts'
import { backupSweep } from './reconcile/backup-sweep.ts'
import { grantMs } from './reconcile/dispatch.ts'
import { drillSweep } from './reconcile/drill-sweep.ts'
import { enqueueReconcile, findBackupOfTask } from './records/backup-store.ts'
import { listUnnoticed } from './records/cluster-restore-store.ts'
import { backupAgentRoutes } from './routes/backup-agents.ts'
import { backupChangeRoutes } from './routes/backup-change.ts'
import { backupClientRoutes } from './routes/backup-clients.ts'
import { backupReadRoutes } from './routes/backup-read.ts'

export type { BackupDeps } from './backups-deps.ts'
export { endBackups } from './commands/backup-change.ts'
export { clusterRestores } from './commands/cluster-restore.ts'
export { goBackAsOperator } from './commands/go-back.ts'
export { reindexBackups } from './commands/reindex.ts'
export { undoPrune } from './commands/undo-prune.ts'
export { noteDamagedFile } from './reconcile/warn.ts'
export { listLastCompleted } from './records/backup-store.ts'
export { backupKeyMoves } from './records/key-moves.ts'
export { planFiles } from './records/plan-file-store.ts'
export { listProved } from './records/proof-store.ts'
export { backupTimes } from './stored-times.ts'
export { describeBackupFiles } from './views/backup-files.ts'
export { countBackups, countRuns, hasBackedUp, isBackupBusy } from './views/count-runs.ts'
export { findFailingBackups } from './views/failing-backups.ts'
export { describeGrants } from './views/grants-text.ts'
export { listLateBackups } from './views/late-backups.ts'
export { listOldProofs } from './views/old-proofs.ts'
export { createAwsStore }

export interface Backups {
  routes: Route[]
  jobs: Job[]
}

/** Reactions of backups to changes of an agent or of its tasks. */
export interface BackupEvents {
  /** In the transaction that stores what an agent reported: an active cluster may take a plan over. */
  onAgentChange(trx: Trx, agent: AgentRef, row: Pick<AgentRow, 'osActive'>): Promise<void>
  /**
   * In the transaction that records a change of an agent's task: enqueues a reconcile of the task's backup. While the
   * task reports progress it keeps its right to the repository.
   */
  onTaskChange(trx: Trx, task: AgentTask): Promise<void>
}

/** Progress is published at most this often, ms. */
const progressMs = 1000

export function createBackupEvents({
  clock,
  renewGrants,
}: Pick<BackupDeps, 'clock'> & Pick<BackupDeps['vault'], 'renewGrants'>): BackupEvents {
  return {
    async onAgentChange(trx, { clusterId }, { osActive }) {
      if (!osActive) return
      for (const id of await listUnnoticed(trx, clusterId)) await enqueueReconcile(trx, id)
    },
    async onTaskChange(trx, task) {
      if (!Object.hasOwn(backupTaskKinds, task.kind)) return
      const backup = await findBackupOfTask(trx, task.id)
      if (!backup) return
      if (task.progress === null || task.state !== 'running') return await enqueueReconcile(trx, backup.id)
      await renewGrants(trx, { taskId: task.id, lengths: grantMs })
      const change = { account: backup.owner, id: backup.id }
      await publishFleeting(trx, clock.now(), 'backup', [change], progressMs)
    },
  }
}

export function createBackups(deps: BackupDeps): Backups {
  const clients = {
    ...deps,
    async storeRoom(db: Db, owner: string) {
      const [most, { liveBytes: used }] = await Promise.all([
        deps.vault.quotaOf(owner),
        deps.usageOf(db, { accountId: owner }),
      ])
      return { most, used }
    },
  }
  return {
    routes: [
      ...backupReadRoutes(deps),
      ...backupChangeRoutes(clients),
      ...backupClientRoutes(clients),
      ...backupAgentRoutes(deps),
    ],
    jobs: [backupReconcile(deps), backupSweep(deps), drillSweep(deps), storesMaintenance(clients)],
  }
}
