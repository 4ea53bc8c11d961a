import type { Db } from '../../../platform/db/index.ts'
import { intervalMs } from '../rules/schedule.ts'
import '../tables.ts'

/** The backup of a cluster that is latest. */
export interface LateBackup {
  clusterId: string
  /** Its name. */
  subject: string
  /** How many of its intervals have passed since a run of it was completed, or since it was made. */
  value: number
}

/** Of each cluster with active backups the one that is latest, if that is an interval or more: one statement. */
export async function listLateBackups(db: Db, now: Date): Promise<LateBackup[]> {
  const rows = await db
    .selectFrom('backups as b')
    .leftJoin('snapshots as s', (join) => join.onRef('s.backup_id', '=', 'b.id').on('s.state', '=', 'Completed'))
    .select((eb) => [
      'b.id',
      'b.cluster_id',
      'b.name',
      'b.schedule',
      'b.created_at',
      eb.fn.max('s.received_at').as('completed_at'),
    ])
    .where('b.state', '=', 'active')
    .groupBy('b.id')
    .orderBy('b.id')
    .execute()
  const worst = new Map<string, LateBackup>()
  for (const { cluster_id: clusterId, name: subject, schedule, created_at, completed_at } of rows) {
    const value = (now.getTime() - (completed_at ?? created_at).getTime()) / intervalMs(schedule)
    if (value >= 1 && value > (worst.get(clusterId)?.value ?? 0)) worst.set(clusterId, { clusterId, subject, value })
  }
  return [...worst.values()]
}
