import type { ClusterStatus, ClusterType, InstanceRole, Operation, ReverseProxy } from '@atoll/contract'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** What the owner asked for last. */
export type Desired = 'running' | 'stopped' | 'destroyed'

interface ClustersTable {
  id: string
  owner: string
  name: string
  cluster_type: ClusterType
  cloud_name: string | null
  region_id: string | null
  offering: string | null
  version: string | null
  reverse_proxy: Generated<ReverseProxy>
  host_label: string
  status: ClusterStatus
  trail: Generated<ClusterStatus[]>
  desired: Desired
  generation: Generated<number>
  observed_generation: Generated<number>
  revision: Generated<number>
  failed_calls: Generated<number>
  last_failure: Generated<string | null>
  error: Generated<string | null>
  created_at: Date
  changed_at: Date
  checked_at: Date
}

interface InstancesTable {
  id: string
  cluster_id: string
  owner: string
  role: InstanceRole
  status: ClusterStatus
  offering: string | null
  cpu_core_count: number
  memory_mib: number
  disk_mib: number
  host: Generated<string | null>
  port: Generated<number | null>
  restart_from: Generated<string | null>
  boot_before: Generated<string | null>
  recoveries: Generated<number>
  install_task: string
  install_log: Generated<string>
  os_active: Generated<boolean>
  has_password: Generated<boolean>
  agent_facts: Generated<string | null>
  created_at: Date
}

interface OperationsTable {
  id: string
  cluster_id: string
  owner: string
  kind: Operation['kind']
  state: Operation['state']
  started_at: Date
  deadline_at: Date
  ended_at: Generated<Date | null>
  error: Generated<string | null>
}

interface RequestKeysTable {
  owner: string
  key: string
  body_hash: string
  /** Null only inside the transaction that makes the answer. */
  answer: ColumnType<unknown, string | null | undefined, string>
  created_at: Date
}

interface DeploymentsTable {
  id: string
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    clusters: ClustersTable
    instances: InstancesTable
    operations: OperationsTable
    request_keys: RequestKeysTable
    deployments: DeploymentsTable
  }
}

export type ClusterRow = Selectable<ClustersTable>
export type InstanceRow = Selectable<InstancesTable>
export type OperationRow = Selectable<OperationsTable>
