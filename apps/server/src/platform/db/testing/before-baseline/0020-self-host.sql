-- Machines of owners' own: how they enrol, leave, and are reached.

-- What a self-hosted machine has is known once it reports; 0 until then.
alter table instances
  drop constraint instances_cpu_core_count_check,
  drop constraint instances_memory_mib_check,
  drop constraint instances_disk_mib_check,
  add constraint instances_cpu_core_count_check check (cpu_core_count >= 0),
  add constraint instances_memory_mib_check check (memory_mib >= 0),
  add constraint instances_disk_mib_check check (disk_mib >= 0),
  -- Whether visitors get through, as the agent said last: JSON of NetworkState (contract). Null: it says nothing.
  add column network text;

alter table clusters
  -- For reverse_proxy none: HOST or HOST:PORT that the owner gave. Null: what the machine reports.
  add column direct_address text,
  add column cloudflare_hostname text,
  -- Sealed; given to the cluster's own machine only.
  add column cloudflare_token text;

alter table agents
  -- The machine and the way to it as reported; null for an instance that is a share of a machine.
  add column machine jsonb,
  add column network jsonb,
  -- The boot that a restart is to leave behind; null: none is wished.
  add column restart_boot text,
  -- The owner gave it up: it is told to leave, and to wipe its files when leave_wipe. left_at: it answered.
  add column leaving_at timestamptz,
  add column leave_wipe boolean not null default false,
  add column left_at timestamptz;

-- Tokens of commands that bring a further machine into a cluster. The instance is made when a machine spends one; the
-- token's hash then moves to its row in agents. Removed when spent or long expired.
create table worker_enrolments (
  enroll_token_hash text constraint worker_enrolments_pkey primary key,
  cluster_id text not null,
  expires_at timestamptz not null
);
create index worker_enrolments_cluster_id_idx on worker_enrolments (cluster_id);

-- Agents that were away when their owner gave them up: told to leave when they come back. Removed after 30 days.
create table agent_farewells (
  instance_id text constraint agent_farewells_pkey primary key,
  token_hash text not null,
  wipe boolean not null,
  created_at timestamptz not null
);

-- Which edge process holds the relay connection of an instance. Written by that process; a row that its process has not
-- noted for a while is of one that died.
create table relay_connections (
  instance_id text constraint relay_connections_pkey primary key,
  connection_id text not null constraint relay_connections_connection_id_key unique,
  -- Where the other edges reach that process.
  edge_url text not null,
  seen_at timestamptz not null
);

-- Bytes by what carried them: our edge to a Cloud instance, frp (our relay or an operator's frps) or Cloudflare.
alter table traffic_counters
  add column kind text not null default 'edge'
    constraint traffic_counters_kind_check check (kind in ('edge', 'FrpNetwork', 'CloudflareNetwork'));
alter table traffic_counters drop constraint traffic_counters_pkey;
alter table traffic_counters add constraint traffic_counters_pkey primary key (cluster_id, hour, kind);

-- What of an agent's own counters was added to traffic_counters already, for bytes that do not pass our edge.
create table agent_traffic_marks (
  instance_id text constraint agent_traffic_marks_pkey primary key,
  -- The measurement up to which they were added, with its counters.
  at timestamptz not null,
  net_in bigint not null,
  net_out bigint not null
);
