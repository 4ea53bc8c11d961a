import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { mostDrillMs } from './drill-elsewhere.ts'

/**
 * Destroys drills' clusters that belong to no drill under way, or that are too old, whatever the state of their drill,
 * so that none is left over. A cluster is ordered in the transaction that begins its drill, so it never appears before
 * the drill.
 */
export function drillSweep({ db, clock, drills }: Pick<BackupDeps, 'db' | 'clock' | 'drills'>): Job {
  return defineTimedJob({
    name: 'backup.drillSweep',
    lane: 'own',
    waits: 'deadline',
    cron: '* * * * *',
    async run({ log }) {
      for (const { clusterId, createdAt } of await drills.list(db)) {
        const isOld = clock.now().getTime() - createdAt.getTime() > mostDrillMs
        if (!isOld && (await isDrilled(clusterId))) continue
        log.warn({ clusterId }, 'the cluster of a drill that is over is destroyed')
        await db.transaction().execute((trx) => drills.destroy(trx, clusterId))
      }
    },
  })

  async function isDrilled(clusterId: string): Promise<boolean> {
    const open = await db
      .selectFrom('backup_chores')
      .select('id')
      .where('drill_cluster_id', '=', clusterId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return open !== undefined
  }
}
