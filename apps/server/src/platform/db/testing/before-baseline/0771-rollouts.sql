-- oldest program: 0.1.0
-- New versions of what runs in clusters, brought to them in waves. One is open for each kind; a target is an instance.
create table rollouts (
  id text primary key,
  kind text not null,
  version text not null,
  state text not null,
  wave int not null default 0,
  wave_at timestamptz not null,
  fault_at timestamptz,
  paused_at timestamptz,
  paused_because text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint rollouts_state check (state in ('running', 'paused', 'back', 'ended')),
  constraint rollouts_paused_because check (paused_because in ('failures', 'notOffered', 'operator'))
);
create unique index rollouts_open on rollouts (kind) where state <> 'ended';
create table rollout_targets (
  rollout_id text not null references rollouts (id) on delete cascade,
  instance_id text not null,
  cluster_id text not null,
  wave int not null,
  state text not null default 'waiting',
  task_id text,
  reason text,
  not_before timestamptz,
  put_off int not null default 0,
  changed_at timestamptz not null,
  primary key (rollout_id, instance_id),
  constraint rollout_targets_state check (state in ('waiting', 'asked', 'updated', 'failed', 'returned'))
);
create index rollout_targets_task on rollout_targets (task_id) where task_id is not null;
create index rollout_targets_cluster on rollout_targets (cluster_id);
-- When the versions that this deployment offered were released.
create table program_releases (
  kind text not null,
  version text not null,
  released_at timestamptz not null,
  primary key (kind, version)
);
