-- This deployment's name towards compute providers, made once. Two databases that share a provider by mistake then never
-- take each other's instances for leftovers.
create table deployments (
  id text constraint deployments_pkey primary key,
  is_only boolean not null default true constraint deployments_is_only_key unique constraint deployments_is_only_check check (is_only)
);
insert into deployments (id) values (replace(gen_random_uuid()::text, '-', ''));

-- What an owner wants and what we last knew. status and trail are decided by modules/clusters/cluster-state.ts alone.
create table clusters (
  id text constraint clusters_pkey primary key,
  owner text not null constraint clusters_owner_fkey references accounts (userid),
  name text not null,
  cluster_type text not null constraint clusters_cluster_type_check check (cluster_type in ('Cloud', 'SelfHost')),
  cloud_name text,
  region_id text,
  offering text,
  version text,
  reverse_proxy text not null default 'none'
    constraint clusters_reverse_proxy_check check (reverse_proxy in ('none', 'frp', 'cloudflare')),
  -- First label of the public host name.
  host_label text not null constraint clusters_host_label_check check (host_label ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  status text not null constraint clusters_status_check check (status in (
    'unpaid', 'paid', 'fetching', 'queuing', 'pending', 'installing', 'restoring', 'restore_error', 'running', 'stopping',
    'stopped', 'starting', 'restarting', 'errored', 'destroying', 'destroyed', 'canceled', 'canceling',
    'destroy_to_be_confirmed', 'waiting_destroy', 'offline')),
  trail text[] not null default '{}',
  desired text not null constraint clusters_desired_check check (desired in ('running', 'stopped', 'destroyed')),
  -- generation counts wishes, observed_generation is the last one brought to an end.
  generation integer not null default 1,
  observed_generation integer not null default 0,
  -- Counts writes: a reconciler that read an older one writes nothing.
  revision integer not null default 0,
  -- Provider calls since the status last changed that failed or led nowhere, and what the last one said.
  failed_calls integer not null default 0,
  last_failure text,
  -- Why the last operation failed; null while none did.
  error text,
  created_at timestamptz not null,
  -- When the status last changed, and when the reconciler last looked.
  changed_at timestamptz not null,
  checked_at timestamptz not null,
  constraint clusters_observed_generation_check check (observed_generation <= generation),
  constraint clusters_cloud_check check (cluster_type <> 'Cloud' or (cloud_name is not null and region_id is not null
    and offering is not null and version is not null))
);
create unique index clusters_host_label_key on clusters (host_label) where status not in ('destroyed', 'canceled');
create unique index clusters_owner_name_key on clusters (owner, lower(name)) where status not in ('destroyed', 'canceled');
create index clusters_owner_idx on clusters (owner, created_at) where status <> 'destroyed';
create index clusters_checked_at_idx on clusters (checked_at) where status not in ('destroyed', 'canceled');

create table instances (
  id text constraint instances_pkey primary key,
  cluster_id text not null constraint instances_cluster_id_fkey references clusters (id),
  owner text not null constraint instances_owner_fkey references accounts (userid),
  role text not null constraint instances_role_check check (role in ('master', 'worker')),
  status text not null,
  offering text,
  cpu_core_count integer not null constraint instances_cpu_core_count_check check (cpu_core_count > 0),
  memory_mib integer not null constraint instances_memory_mib_check check (memory_mib > 0),
  disk_mib integer not null constraint instances_disk_mib_check check (disk_mib > 0),
  -- Where the personal server answers, as the provider said last.
  host text,
  port integer constraint instances_port_check check (port between 1 and 65535),
  -- A restart under way: the incarnation it leaves behind.
  restart_from text,
  -- The agent's boot before the last start, so that an old report is not taken for a new one.
  boot_before text,
  -- Boots that brought back one that had died, since a person last acted or it last ran in peace.
  recoveries integer not null default 0,
  -- Key of the install at the agent; a retry of a failed install makes a new one.
  install_task text not null,
  -- Copied from the agent's reports, so that a list needs no other table.
  install_log text not null default '[]',
  os_active boolean not null default false,
  has_password boolean not null default false,
  -- What of the last report could lead to a next step; log lines alone wake no reconciler.
  agent_facts text,
  created_at timestamptz not null
);
create unique index instances_master_key on instances (cluster_id) where role = 'master';
create index instances_cluster_id_idx on instances (cluster_id);

create table operations (
  id text constraint operations_pkey primary key,
  cluster_id text not null constraint operations_cluster_id_fkey references clusters (id),
  owner text not null constraint operations_owner_fkey references accounts (userid),
  kind text not null
    constraint operations_kind_check check (kind in ('create', 'start', 'stop', 'restart', 'destroy', 'retry')),
  state text not null constraint operations_state_check check (state in ('running', 'done', 'failed')),
  started_at timestamptz not null,
  deadline_at timestamptz not null,
  ended_at timestamptz,
  error text,
  constraint operations_ended_at_check check ((state = 'running') = (ended_at is null))
);
create unique index operations_running_key on operations (cluster_id) where state = 'running';
create index operations_cluster_id_idx on operations (cluster_id, started_at);

-- Idempotency keys chosen by clients, with the answer to repeat; kept 24 h.
create table request_keys (
  owner text not null constraint request_keys_owner_fkey references accounts (userid),
  key text not null,
  -- SHA-256 over the call's name and body.
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null,
  constraint request_keys_pkey primary key (owner, key)
);
create index request_keys_created_at_idx on request_keys (created_at);
