import type { ClusterStatus, ClusterType, InstanceRole, ReverseProxy } from '@atoll/contract/clusters'
import type { Generated, Selectable } from 'kysely'

/** The state that was requested last. */
export type Desired = 'running' | 'stopped' | 'destroyed'

interface ClustersTable {
  id: string
  owner: string
  name: string
  cluster_type: ClusterType
  /** `drill`: hidden, see drills/drill-clusters.ts. */
  purpose: Generated<'user' | 'drill'>
  cloud_name: string | null
  region_id: string | null
  offering: string | null
  version: string | null
  reverse_proxy: Generated<ReverseProxy>
  direct_address: Generated<string | null>
  cloudflare_hostname: Generated<string | null>
  cloudflare_token: Generated<string | null>
  host_label: string
  /** The master's, repeated. */
  status: ClusterStatus
  desired: Desired
  generation: Generated<number>
  observed_generation: Generated<number>
  created_at: Date
  /** The master's, repeated. */
  changed_at: Date
  checked_at: Date
  /** Since when its machine is given up; null: it is not. */
  given_up_at: Generated<Date | null>
}

interface InstancesTable {
  id: string
  cluster_id: string
  owner: string
  role: InstanceRole
  /** 0 for the master, then 1, 2, …: `worker-1`. */
  ordinal: Generated<number>
  status: ClusterStatus
  resume_stack: Generated<ClusterStatus[]>
  /** Its cluster's, repeated. */
  given_up: Generated<boolean>
  desired: Generated<Desired>
  revision: Generated<number>
  failed_calls: Generated<number>
  /** JSON of a `Reason`, as `error` is. */
  last_failure: Generated<string | null>
  error: Generated<string | null>
  changed_at: Date
  started_at: Generated<Date | null>
  missing: Generated<boolean>
  /** It, or one that a repair gave up for it, ran once. */
  has_run: Generated<boolean>
  drain_task: Generated<string | null>
  drain_until: Generated<Date | null>
  /** When a repair gave it up for another. */
  replaced_at: Generated<Date | null>
  offering: string | null
  cpu_core_count: number
  memory_mib: number
  disk_mib: number
  /** The machine that it was placed on, or that its provider says it is on. */
  member: Generated<string | null>
  host: Generated<string | null>
  port: Generated<number | null>
  restart_from: Generated<string | null>
  /** The member that it is being moved to; only while it is restarting or stopped. */
  move_to: Generated<string | null>
  previous_boot_id: Generated<string | null>
  recoveries: Generated<number>
  install_task: string
  /** The restore that it is made for (module backups). */
  restore_id: Generated<string | null>
  install_log: Generated<string>
  os_active: Generated<boolean>
  has_password: Generated<boolean>
  agent_facts: Generated<string | null>
  network: Generated<string | null>
  /** JSON of `MachineCopies`: its disk was copied; null: nobody noticed. */
  copies: Generated<string | null>
  /** JSON of what its agent last reported to run on it; null: it reported nothing. */
  workloads: Generated<string | null>
  created_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    clusters: ClustersTable
    instances: InstancesTable
    /** Views, for the queries of modules that this one is built on. */
    owned_clusters: Pick<ClustersTable, 'id' | 'owner' | 'name' | 'status' | 'created_at'>
    owned_instances: Pick<InstancesTable, 'id' | 'cluster_id' | 'role' | 'ordinal' | 'created_at'>
  }
}

export type ClusterRow = Selectable<ClustersTable>
export type InstanceRow = Selectable<InstancesTable>
