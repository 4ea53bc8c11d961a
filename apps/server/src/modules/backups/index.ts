/** Backups of clusters: what is kept where and when, their runs, what is forgotten, and bringing files back. */
import { backupTaskKinds } from '@atoll/contract/agents'
import type { Route } from '../../http/route.ts'
import type { Trx } from '../../platform/db/index.ts'
import { publishFleeting } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { AgentRef, AgentTask } from '../agents/index.ts'
import type { BackupDeps } from './backups-deps.ts'
import { backupReconcile } from './reconcile/backup-reconcile.ts'
import { backupSweep } from './reconcile/backup-sweep.ts'
import { enqueueReconcile, findBackupOfTask } from './records/backup-store.ts'
import { backupChangeRoutes } from './routes/backup-change.ts'
import { backupReadRoutes } from './routes/backup-read.ts'

export type { BackupDeps } from './backups-deps.ts'
export { listLastCompleted } from './records/backup-store.ts'

export interface Backups {
  routes: Route[]
  jobs: Job[]
  /** In the transaction that records what became of an agent's task: has the backup looked at whose task it is. */
  onTaskChange(trx: Trx, agent: AgentRef, task: AgentTask): Promise<void>
}

/** Progress is told at most this often, ms. */
const progressMs = 1000

export function createBackups(deps: BackupDeps): Backups {
  return {
    routes: [...backupReadRoutes(deps), ...backupChangeRoutes(deps)],
    jobs: [backupReconcile(deps), backupSweep(deps)],
    async onTaskChange(trx, _, task) {
      if (!Object.hasOwn(backupTaskKinds, task.kind)) return
      const backup = await findBackupOfTask(trx, task.id)
      if (!backup) return
      if (task.progress === null || task.state !== 'running') return await enqueueReconcile(trx, backup.id)
      const change = { account: backup.owner, id: backup.id }
      await publishFleeting(trx, deps.clock.now(), 'backup', [change], progressMs)
    },
  }
}
