import type { AgentProgram, BackupKey, InstallState, Machine } from '@atoll/contract/agents'
import type { RestoreSource } from '@atoll/contract/backups'
import type { NetworkState, Workload } from '@atoll/contract/clusters'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Boots } from './boots/boots.ts'
import type { TaskState } from './task-protocol.ts'

/** jsonb: read as the value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

interface AgentsTable {
  instance_id: string
  cluster_id: string
  enroll_token_hash: string
  enroll_expires_at: Date
  token_hash: string | null
  enrolled_at: Date | null
  last_seen_at: Date | null
  /** Host and port under which it last opened its channel. */
  dialed_host: Generated<string | null>
  agent_version: string | null
  boot_id: string | null
  port: number | null
  install: Json<InstallState>
  os_active: ColumnType<boolean, boolean | undefined, boolean>
  one_time_password: string | null
  task_id: string | null
  task_version: string | null
  task_steps: ColumnType<string[] | null, string | null, string | null>
  task_script: Generated<string | null>
  machine: NullableJson<Machine>
  network: NullableJson<AgentNetwork>
  leave_wipe: Generated<boolean>
  backups: NullableJson<AgentBackups>
  workloads: NullableJson<Workload[]>
  /** Since when it proves nothing, whatever its token; null: it does. */
  refused_at: Generated<Date | null>
  hosts: NullableJson<string[]>
  boots: NullableJson<Boots>
  program: NullableJson<AgentProgram>
}
/** As the agent reports it; `port`: where it listens on all addresses, if it does. */
export type AgentNetwork = NetworkState & { port: number | null }
/** An agent's means for backups: restic's version, null where none runs, and the key that passwords are sealed for. */
export interface AgentBackups {
  restic: string | null
  key: BackupKey
  /** It may be asked to seal a kept password for another machine. */
  mayReseal?: boolean
}
export type AgentsRow = Selectable<AgentsTable>

interface AgentTasksTable {
  id: string
  instance_id: string
  kind: string
  lane: string
  params: Json<Record<string, unknown>>
  state: ColumnType<TaskState, TaskState | undefined, TaskState>
  cancel_asked_at: Generated<Date | null>
  progress: NullableJson<Record<string, unknown>>
  result: NullableJson<Record<string, unknown>>
  reason: Generated<string | null>
  asked_at: Generated<Date>
  ended_at: Generated<Date | null>
}

interface WorkerEnrollmentsTable {
  enroll_token_hash: string
  cluster_id: string
  expires_at: Date
}

interface ReplacementEnrollmentsTable {
  enroll_token_hash: string
  cluster_id: string
  expires_at: Date
  restore: NullableJson<RestoreSource>
}

interface ReplacedAgentsTable {
  instance_id: string
  token_hash: string
  replaced_at: Date
}

interface PendingDecommissionsTable {
  instance_id: string
  token_hash: string
  wipe: boolean
  created_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    agents: AgentsTable
    agent_tasks: AgentTasksTable
    worker_enrollments: WorkerEnrollmentsTable
    replacement_enrollments: ReplacementEnrollmentsTable
    replaced_agents: ReplacedAgentsTable
    pending_decommissions: PendingDecommissionsTable
  }
}
