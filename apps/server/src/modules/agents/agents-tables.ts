import type { InstallState } from '@atoll/contract'
import type { ColumnType, Selectable } from 'kysely'

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
}
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

declare module '../../platform/db/index.ts' {
  interface Tables {
    agents: AgentsTable
    agent_metrics: AgentMetricsTable
  }
}
