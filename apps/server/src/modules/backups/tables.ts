import type {
  AlarmKind,
  BackupSchedule,
  BackupState,
  KeepRules,
  ProofLevel,
  ProveState,
  RestoreWay,
  RunState,
  snapshotKinds,
} from '@atoll/contract/backups'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Troubles } from './troubles.ts'

/** jsonb: read as the value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>

interface BackupsTable {
  id: string
  owner: string
  cluster_id: string
  name: string
  repo_id: string
  paths: Json<string[]>
  schedule: Json<BackupSchedule>
  time_zone: string
  keep: Json<KeepRules>
  state: BackupState
  slots_until: Date
  next_at: Date | null
  box: string | null
  password: 'missing' | 'given' | 'kept' | 'wrong'
  /** The password that it is to have, sealed; null: none is wanted. */
  new_box: Generated<string | null>
  /** Name of the key that the change removes, or removes next; null: it has not begun. */
  old_key: Generated<string | null>
  /** Why the last change failed: JSON of a `Reason`. */
  new_box_reason: Generated<string | null>
  has_repository: Generated<boolean>
  pruned_at: Generated<Date | null>
  created_at: Date
  deleted_at: Generated<Date | null>
  damaged_at: Generated<Date | null>
  sound_at: Generated<Date | null>
  prove_state: Generated<ProveState | null>
  prove_since: Generated<Date | null>
  /** JSON of a `Reason`. */
  prove_reason: Generated<string | null>
  alarm: Generated<AlarmKind | null>
  alarm_at: Generated<Date | null>
  alarm_snapshot_id: Generated<string | null>
  /** Per cent. */
  alarm_share: Generated<number | null>
  alarm_held: Generated<boolean>
  guard_since: Generated<Date | null>
  look_at: Generated<Date | null>
  /** Of its deletion. */
  trashed_files: Generated<number | null>
  former_clusters: ColumnType<string[], string[] | undefined, string[]>
  move_to: Generated<string | null>
  plan_file_mark: Generated<string | null>
  troubles: ColumnType<Troubles, string | undefined, string>
}

interface ProofsTable {
  id: string
  backup_id: string
  owner: string
  snapshot_id: string | null
  level: ProofLevel
  passed: boolean
  part: number | null
  parts: number | null
  bytes: number | null
  files: number | null
  equal: number | null
  /** Of a drill: not on the machine that was backed up. */
  elsewhere: Generated<boolean>
  /** JSON of a `Reason`. */
  reason: string | null
  at: Date
}

/** Columns that runs, restores and chores share. */
interface TaskColumns {
  id: string
  backup_id: string
  owner: string
  task_id: Generated<string | null>
  /** JSON of a `Reason`. */
  reason: Generated<string | null>
  created_at: Date
  ended_at: Generated<Date | null>
}

interface RunColumns extends TaskColumns {
  state: RunState
  cancel_asked: Generated<boolean>
  size: Generated<number | null>
  files: Generated<number | null>
  /** When the agent was asked, and when it began. */
  started_at: Generated<Date | null>
  running_at: Generated<Date | null>
}

interface SnapshotsTable extends RunColumns {
  kind: (typeof snapshotKinds)[number]
  scheduled_for: Date | null
  paths: Json<string[]>
  restic_id: Generated<string | null>
  received_at: Generated<Date | null>
  new_bytes: Generated<number | null>
  unread_files: Generated<number>
  tree_root: Generated<string | null>
  tree_files: Generated<number | null>
  tree_apart: ColumnType<string[], string | undefined, string>
  /** When its machine was last lost in the middle of it. */
  lost_at: Generated<Date | null>
  forgotten_at: Generated<Date | null>
  pinned_at: Generated<Date | null>
  /** Null: until its owner unpins it. */
  pinned_until: Generated<Date | null>
}

interface RestoresTable extends RunColumns {
  snapshot_id: string
  way: RestoreWay | 'beside'
  after_snapshot_id: Generated<string | null>
  /** The cluster that is made for it: of way `newCluster`. */
  target_cluster_id: Generated<string | null>
  /** Another cluster of the owner that reads the snapshot into a new folder of its own; null: the backup's. */
  reader_cluster_id: Generated<string | null>
  needs_password: Generated<boolean>
  /** When it was noticed that the cluster is activated. */
  activated_at: Generated<Date | null>
  box: string | null
  /** A `RestoreChoice` that the machine alone opens; null: all of the snapshot, or it has ended. */
  choice: Generated<string | null>
  folder: Generated<string | null>
  /** Of way `replace`: what no snapshot holds of what was there. `kept_whole`: all that was there. */
  kept_folder: Generated<string | null>
  kept_files: Generated<number | null>
  kept_whole: Generated<boolean>
}

interface BackupChoresTable extends TaskColumns {
  kind: 'prune' | 'check' | 'drill' | 'password'
  snapshots: Json<string[]>
  part: Generated<number | null>
  parts: Generated<number | null>
  /** Of a drill elsewhere: `reconcile/drill-elsewhere.ts`. */
  drill_cluster_id: Generated<string | null>
  reseal_task_id: Generated<string | null>
  cancel_asked: Generated<boolean>
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    backups: BackupsTable
    snapshots: SnapshotsTable
    restores: RestoresTable
    backup_chores: BackupChoresTable
    proofs: ProofsTable
  }
}

export type BackupRow = Selectable<BackupsTable>
export type SnapshotRow = Selectable<SnapshotsTable>
export type RestoreRow = Selectable<RestoresTable>
export type ChoreRow = Selectable<BackupChoresTable>
export type ProofRow = Selectable<ProofsTable>
