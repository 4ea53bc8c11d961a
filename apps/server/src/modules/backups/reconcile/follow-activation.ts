/**
 * A cluster that was made of a backup takes its plan over once it is activated, as it is the one that holds the files
 * from then on. Where the plan's own cluster is still there, its owner is asked first (`backup/move`). Drills make no
 * such restore. The machine kept the password when it restored.
 */
import { fitBeside } from '../rules/fit-beside.ts'
import { nextRunOf } from '../rules/next-run.ts'
import type { BackupRow, BackupUpdate, ChoreRow, SnapshotRow } from '../tables.ts'
import { type Change, endTask, moveRun, stopChore } from './changes.ts'
import type { BackupFacts } from './facts.ts'

export function followActivation({ at, backup, run, chore, instanceId, activated }: BackupFacts): Change[] {
  const [first] = activated
  if (!first) return []
  const { restoreId, clusterId, others } = first
  const noted: Change = { kind: 'saveRestore', id: restoreId, set: { activated_at: at } }
  if (clusterId === backup.cluster_id) return [noted]
  if (instanceId === undefined) return [noted, ...movePlan({ at, backup, run, chore, clusterId, others })]
  return [noted, { kind: 'saveBackup', set: { move_to: clusterId } }]
}

interface Move {
  at: Date
  backup: BackupRow
  run: SnapshotRow | undefined
  chore: ChoreRow | undefined
  clusterId: string
  /** The backups that the cluster has already. */
  others: readonly BackupRow[]
}

/** Gives a plan to another cluster. Its name and its slot stay where they are free there; else it waits, paused. */
export function movePlan({ at, backup, run, chore, clusterId, others }: Move): Change[] {
  const { name, isSlotFree } = fitBeside(others, backup)
  const state = backup.state === 'active' && !isSlotFree ? 'paused' : backup.state
  const moved = { ...backup, time_zone: others[0]?.time_zone ?? backup.time_zone, slots_until: at }
  const set: BackupUpdate = {
    cluster_id: clusterId,
    former_clusters: [...backup.former_clusters, backup.cluster_id],
    move_to: null,
    name,
    state,
    time_zone: moved.time_zone,
    slots_until: at,
    password: 'kept',
    box: null,
    new_box: null,
    old_key: null,
    new_box_reason: null,
    next_at: state === 'active' ? nextRunOf(moved, at, at).at : null,
  }
  return [
    // The run under way on the old machine is started again on the new one.
    ...(run ? [...endTask(run.task_id), ...moveRun(at, 'snapshots', run, 'lose', { task_id: null })] : []),
    ...(chore && chore.kind !== 'drill' ? stopChore(at, backup, chore) : []),
    { kind: 'saveBackup', set },
    { kind: 'moveRepository', clusterId, name },
  ]
}
