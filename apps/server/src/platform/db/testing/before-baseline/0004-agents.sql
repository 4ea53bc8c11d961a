-- One row per instance that may have an agent, from the issue of its enrolment token until the instance is forgotten.
-- Whose it is follows from the instance (module clusters); nothing here is reachable but through it, so there is no owner
-- column. No foreign key either: the order in which the two modules forget an instance is theirs.
-- Written by: clusters through the face (issue, install request, forget), the api process that holds the agent's
-- connection (everything reported), any process (the sweep, which only clears connection_id).
create table agents (
  instance_id text constraint agents_pkey primary key,
  cluster_id text not null,
  -- SHA-256, hex, of tokens that are themselves not kept.
  enroll_token_hash text not null constraint agents_enroll_token_hash_key unique,
  enroll_expires_at timestamptz not null,
  token_hash text,
  enrolled_at timestamptz,
  -- The connection that reports now; null: not connected. A report under another id is from a replaced connection.
  connection_id text,
  last_seen_at timestamptz,
  -- The last reported state.
  agent_version text,
  boot_id text,
  port integer constraint agents_port_check check (port between 1 and 65535),
  install jsonb not null,
  os_active boolean not null default false,
  -- Sealed.
  one_time_password text,
  -- The install that is wanted; offered to the agent until its reported install names it.
  task_id text,
  task_version text,
  task_steps jsonb,
  constraint agents_task_check check ((task_id is null) = (task_version is null) and (task_id is null) = (task_steps is null))
);
-- For the sweep. last_seen_at is in no index, so that writing it every few seconds stays cheap (HOT).
create index agents_connected_idx on agents (instance_id) where connection_id is not null;

-- Raw measurements, one row every 5 s per agent, removed after retention (job agents.prune). at is when it arrived here:
-- clocks of instances may be wrong.
create table agent_metrics (
  instance_id text not null,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_total bigint not null,
  disk_used bigint not null,
  disk_total bigint not null,
  -- Counters since the agent started.
  net_in bigint not null,
  net_out bigint not null,
  constraint agent_metrics_pkey primary key (instance_id, at)
);
create index agent_metrics_at_idx on agent_metrics using brin (at);
