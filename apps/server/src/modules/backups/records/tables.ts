import type {
  BackupSchedule,
  BackupState,
  KeepRules,
  RestoreWay,
  RunState,
  snapshotKinds,
} from '@atoll/contract/backups'
import type { ColumnType, Generated, Selectable } from 'kysely'

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
  has_repository: Generated<boolean>
  pruned_at: Generated<Date | null>
  created_at: Date
  deleted_at: Generated<Date | null>
}

/** What runs, restores and chores have alike. */
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
  started_at: Generated<Date | null>
}

interface SnapshotsTable extends RunColumns {
  kind: (typeof snapshotKinds)[number]
  scheduled_for: Date | null
  paths: Json<string[]>
  restic_id: Generated<string | null>
  received_at: Generated<Date | null>
  new_bytes: Generated<number | null>
  unread_files: Generated<number>
  forgotten_at: Generated<Date | null>
}

interface RestoresTable extends RunColumns {
  snapshot_id: string
  way: RestoreWay
  after_snapshot_id: string | null
  needs_password: Generated<boolean>
  box: string | null
  folder: Generated<string | null>
}

interface BackupChoresTable extends TaskColumns {
  kind: 'forget' | 'prune'
  snapshots: Json<string[]>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    backups: BackupsTable
    snapshots: SnapshotsTable
    restores: RestoresTable
    backup_chores: BackupChoresTable
  }
}

export type BackupRow = Selectable<BackupsTable>
export type SnapshotRow = Selectable<SnapshotsTable>
export type RestoreRow = Selectable<RestoresTable>
export type ChoreRow = Selectable<BackupChoresTable>
