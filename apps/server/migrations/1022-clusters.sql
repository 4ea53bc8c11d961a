-- A row is a cluster: what its owner wants, and what was last known about it. Only
-- modules/clusters/lifecycle/cluster-state.ts decides a status.
create table clusters (
  id text constraint clusters_pkey primary key,
  owner text not null constraint clusters_owner_fkey references accounts (account_id),
  name text not null,
  cluster_type text not null constraint clusters_cluster_type_check check (cluster_type in ('Cloud', 'SelfHost')),
  cloud_name text,
  region_id text,
  offering text,
  version text,
  reverse_proxy text not null default 'none'
    constraint clusters_reverse_proxy_check check (reverse_proxy in ('none', 'frp', 'cloudflare')),
  -- First label of the public host name.
  host_label text not null
    constraint clusters_host_label_check check (host_label ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  -- Copy of the master's status, so that lists and indexes need no join. `changed_at` is a copy too.
  status text not null
    constraint clusters_status_check check (status in ( 'unpaid', 'paid', 'fetching', 'queuing', 'pending',
      'installing', 'restoring', 'restore_error', 'running', 'stopping', 'stopped', 'starting', 'restarting',
      'errored', 'destroying', 'destroyed', 'canceled', 'canceling', 'destroy_to_be_confirmed', 'waiting_destroy',
      'offline')),
  desired text not null constraint clusters_desired_check check (desired in ('running', 'stopped', 'destroyed')),
  -- `generation` counts the owner's requests; `observed_generation` is the last one that was completed.
  generation integer not null default 1,
  observed_generation integer not null default 0,
  created_at timestamptz not null,
  -- When the status last changed.
  changed_at timestamptz not null,
  -- When the reconciler last looked at the cluster.
  checked_at timestamptz not null,
  -- For reverse_proxy `none`: HOST or HOST:PORT that the owner entered. Null: what the host reports.
  direct_address text,
  cloudflare_hostname text,
  -- Sealed; given only to the cluster's own host.
  cloudflare_token text,
  -- `user`: a cluster of a customer. `drill`: created by the server to restore a backup on, hidden, and destroyed
  -- afterwards. Clusters of drills belong to an account of their own whose key nobody has, so that notifications,
  -- counts and charges by owner concern nobody.
  purpose text not null default 'user' constraint clusters_purpose_check check (purpose in ('user', 'drill')),
  -- When the owner gave the host up; null: not given up. The cluster keeps its status, its agent is refused, and its
  -- host name is free for others.
  given_up_at timestamptz,
  constraint clusters_cloud_check check (cluster_type <> 'Cloud' or (cloud_name is not null and region_id is not
    null and offering is not null and version is not null)),
  constraint clusters_observed_generation_check check (observed_generation <= generation)
);
create index clusters_checked_at_idx on clusters (checked_at) where status not in ('destroyed', 'canceled');
create index clusters_drill_idx on clusters (created_at) where purpose = 'drill' and status not in ('destroyed',
  'canceled');
create unique index clusters_host_label_key on clusters (host_label) where status not in ('destroyed', 'canceled')
  and given_up_at is null;
-- Order of the list of all clusters.
create index clusters_name_idx on clusters (lower(name), id) where status not in ('destroyed', 'canceled') and
  purpose = 'user';
create index clusters_owner_idx on clusters (owner, created_at) where status <> 'destroyed';
create unique index clusters_owner_name_key on clusters (owner, lower(name)) where status not in ('destroyed',
  'canceled');

alter table operations add constraint operations_cluster_id_fkey foreign key (cluster_id) references clusters(id);
-- A row is an instance of a cluster, master or worker, with its own state. A transaction that writes the status of an
-- instance holds the row lock of its cluster.
create table instances (
  id text constraint instances_pkey primary key,
  cluster_id text not null constraint instances_cluster_id_fkey references clusters (id),
  owner text not null constraint instances_owner_fkey references accounts (account_id),
  role text not null constraint instances_role_check check (role in ('master', 'worker')),
  status text not null,
  offering text,
  -- 0 until a self-hosted instance reports, as are memory and disk.
  cpu_core_count integer not null constraint instances_cpu_core_count_check check (cpu_core_count >= 0),
  memory_mib integer not null constraint instances_memory_mib_check check (memory_mib >= 0),
  disk_mib integer not null constraint instances_disk_mib_check check (disk_mib >= 0),
  -- Address of the personal server, as the provider last reported it.
  host text,
  port integer constraint instances_port_check check (port between 1 and 65535),
  -- Incarnation that a restart in progress replaces; null if none is in progress.
  restart_from text,
  -- The agent's boot before the last start, so that an old report is not taken for a new one.
  previous_boot_id text,
  -- Boots that recovered a dead instance, since a person last acted or the instance last ran undisturbed.
  recoveries integer not null default 0,
  -- Idempotency key of the install at the agent. Retrying a failed install makes a new one.
  install_task text not null,
  -- Copied from the agent's reports, as are the two columns below, so that a list needs no other table.
  install_log text not null default '[]',
  os_active boolean not null default false,
  has_password boolean not null default false,
  -- The part of the last report that could lead to a next step. New log lines alone do not wake a reconciler.
  agent_facts text,
  created_at timestamptz not null,
  -- 0 for the master, then 1, 2, … for the workers.
  ordinal integer not null default 0,
  -- Statuses that the current one interrupts, outermost first.
  resume_stack text[] not null default '{}',
  -- State that was requested for this instance alone. The state requested for its cluster takes precedence.
  desired text not null default 'running'
    constraint instances_desired_check check (desired in ('running', 'stopped', 'destroyed')),
  -- Counts changes of the status. A reconciler that read an older revision writes nothing.
  revision integer not null default 0,
  -- Provider calls that failed or had no effect since the status last changed.
  failed_calls integer not null default 0,
  -- Why the last of these calls failed: JSON of Reason (contract).
  last_failure text,
  -- Why the last operation failed: JSON of Reason (contract); null if it did not fail.
  error text,
  changed_at timestamptz not null,
  -- Since when it has run without interruption; null while it does not run.
  started_at timestamptz,
  -- True if the provider does not have it although it should exist.
  missing boolean not null default false,
  -- Task that asks its agent to finish what it has begun. The agent is waited for until `drain_until`.
  drain_task text,
  drain_until timestamptz,
  -- When a repair replaced it with another instance; the row is kept for the history.
  replaced_at timestamptz,
  -- Whether visitors get through, as the agent last reported: JSON of NetworkState (contract). Null: not reported.
  network text,
  -- Whether it, or the instance that it replaced in a repair, ever ran. An instance that never ran is refunded in full.
  has_run boolean not null default false,
  -- JSON of what its agent last reported to run on it, shown even while the agent is silent. Null: nothing was
  -- reported.
  workloads text,
  -- Restore that the instance is created for; null: it starts empty.
  restore_id text,
  -- Whether its cluster is given up, repeated here because the state machine reads it with the status.
  given_up boolean not null default false,
  -- Copies of its disk, as shown to its owner: JSON of MachineCopies (contract). Null: none was noticed.
  copies text,
  -- Host on which it was placed, or on which its provider now reports it; null if it is not known.
  member text
);
create index instances_cluster_id_idx on instances (cluster_id);
create index instances_errored_idx on instances (cluster_id) where status = 'errored';
create unique index instances_master_key on instances (cluster_id) where role = 'master' and replaced_at is null;
create unique index instances_ordinal_key on instances (cluster_id, ordinal) where status not in ('destroyed',
  'canceled');
create index instances_owner_idx on instances (owner, created_at) where status not in ('destroyed', 'canceled');

-- Provider calls that failed, the newest ones of each instance, for troubleshooting.
create table instance_attempts (
  number bigint generated always as identity constraint instance_attempts_pkey primary key,
  instance_id text not null
    constraint instance_attempts_instance_id_fkey references instances (id) on delete cascade,
  call text not null,
  at timestamptz not null,
  took_ms integer not null,
  -- JSON of Reason (contract).
  reason text not null,
  host text not null
);
create index instance_attempts_instance_idx on instance_attempts (instance_id, number desc);

-- Whether a region takes new orders for Cloud instances.
create table capacity_regions (
  cloud_name text,
  region_id text,
  accepts boolean not null default true,
  constraint capacity_regions_pkey primary key (cloud_name, region_id)
);

-- A row is a host that Cloud instances run on, as last read, and whether it takes new orders.
create table capacity_members (
  cloud_name text,
  region_id text,
  member text,
  accepts boolean not null default true,
  state text not null constraint capacity_members_state_check check (state in ('online', 'resting', 'lost')),
  cpu_cores integer not null,
  memory_mib bigint not null,
  memory_used_mib bigint not null,
  disk_mib bigint not null,
  disk_used_mib bigint not null,
  -- Cores in use, mean of five minutes; null where it is not reported.
  cpu_busy double precision,
  -- Since when its disk is so full that the host takes no orders; null if it is not.
  full_since timestamptz,
  read_at timestamptz not null,
  constraint capacity_members_pkey primary key (cloud_name, region_id, member)
);

-- Columns that modules below clusters may read in queries of their own. They never write: the tables belong to module
-- clusters.
create view owned_clusters as select id, owner, name, status, created_at from clusters;

create view owned_instances as select id, cluster_id, role, ordinal, created_at from instances;
