import type { InstallState, Machine } from '@atoll/contract/agents'
import type { NetworkState } from '@atoll/contract/clusters'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** jsonb: read as the value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>

interface AgentsTable {
  instance_id: string
  cluster_id: string
  enroll_token_hash: string
  enroll_expires_at: Date
  token_hash: string | null
  enrolled_at: Date | null
  connection_id: string | null
  last_seen_at: Date | null
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
  drain_task: Generated<string | null>
  drained_task: Generated<string | null>
  rotate_task: Generated<string | null>
  rotated_task: Generated<string | null>
  machine: ColumnType<Machine | null, string | null | undefined, string | null>
  network: ColumnType<AgentNetwork | null, string | null | undefined, string | null>
  restart_boot: Generated<string | null>
  leaving_at: Generated<Date | null>
  leave_wipe: Generated<boolean>
  left_at: Generated<Date | null>
}
/** As the agent reports it; `port`: where it listens on all addresses, if it does. */
export type AgentNetwork = NetworkState & { port: number | null }
export type AgentsRow = Selectable<AgentsTable>

interface AgentMetricsTable {
  instance_id: string
  at: Date
  cpu: number
  memory_used: number
  memory_total: number
  disk_used: number
  disk_total: number
  net_in: number
  net_out: number
}
export type AgentMetricsRow = Selectable<AgentMetricsTable>

interface WorkerEnrollmentsTable {
  enroll_token_hash: string
  cluster_id: string
  expires_at: Date
}

interface AgentFarewellsTable {
  instance_id: string
  token_hash: string
  wipe: boolean
  created_at: Date
}

interface AgentTrafficMarksTable {
  instance_id: string
  at: Date
  net_in: number
  net_out: number
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    agents: AgentsTable
    agent_metrics: AgentMetricsTable
    worker_enrolments: WorkerEnrollmentsTable
    agent_farewells: AgentFarewellsTable
    agent_traffic_marks: AgentTrafficMarksTable
  }
}
