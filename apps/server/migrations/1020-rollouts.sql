-- A row is the rollout of a new version of a program to clusters, in waves. Its targets are instances. At most one
-- rollout of each kind is open. States: modules/rollouts/decide.ts.
create table rollouts (
  id text constraint rollouts_pkey primary key,
  kind text not null,
  version text not null,
  state text not null constraint rollouts_state check (state in ('running', 'paused', 'back', 'ended')),
  -- Number of the current wave, from 0.
  wave integer not null default 0,
  -- When the current wave began.
  wave_at timestamptz not null,
  -- Last failure in the current wave.
  fault_at timestamptz,
  paused_at timestamptz,
  paused_because text
    constraint rollouts_paused_because check (paused_because in ('failures', 'notOffered', 'operator')),
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index rollouts_open on rollouts (kind) where state <> 'ended';

create table rollout_targets (
  rollout_id text constraint rollout_targets_rollout_id_fkey references rollouts (id) on delete cascade,
  instance_id text,
  cluster_id text not null,
  wave integer not null,
  state text not null default 'waiting'
    constraint rollout_targets_state check (state in ('waiting', 'asked', 'updated', 'failed', 'returned')),
  -- Task with which the agent was last asked.
  task_id text,
  reason text,
  -- The owner has put the update off until then.
  not_before timestamptz,
  -- How often the owner has put it off.
  put_off integer not null default 0,
  changed_at timestamptz not null,
  constraint rollout_targets_pkey primary key (rollout_id, instance_id)
);
create index rollout_targets_cluster on rollout_targets (cluster_id);
create index rollout_targets_task on rollout_targets (task_id) where task_id is not null;

-- When the versions that this deployment has offered were released.
create table program_releases (
  kind text,
  version text,
  released_at timestamptz not null,
  constraint program_releases_pkey primary key (kind, version)
);
