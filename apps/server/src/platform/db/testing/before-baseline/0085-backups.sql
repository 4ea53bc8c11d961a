-- Backups of clusters (module backups): plans, their runs, restores, and what is done to a repository between them.

create table backups (
  id text constraint backups_pkey primary key,
  owner text not null constraint backups_owner_fkey references accounts (userid),
  cluster_id text not null constraint backups_cluster_id_fkey references clusters (id),
  name text not null,
  -- Of the vault.
  repo_id text not null,
  paths jsonb not null,
  schedule jsonb not null,
  -- The same for all backups of a cluster.
  time_zone text not null,
  keep jsonb not null,
  state text not null constraint backups_state_check check (state in ('active', 'paused', 'deleting', 'deleted')),
  -- Slots up to this one are dealt with, and when the next run begins; null unless it is active.
  slots_until timestamptz not null,
  next_at timestamptz,
  -- Sealed in the browser to the machine's key; kept until a run has opened the repository with it.
  box text,
  -- `kept`: the machine has it since a run that worked.
  password text not null constraint backups_password_check check (password in ('missing', 'given', 'kept', 'wrong')),
  -- The repository was made: a run was completed.
  has_repository boolean not null default false,
  pruned_at timestamptz,
  created_at timestamptz not null,
  -- Of its end: while it is `deleting` it lies ahead.
  deleted_at timestamptz,
  constraint backups_box_check check ((box is not null) = (password = 'given')),
  constraint backups_next_check check (next_at is null or state = 'active'),
  constraint backups_deleted_check check ((deleted_at is not null) = (state in ('deleting', 'deleted')))
);
create index backups_owner_idx on backups (owner);
create index backups_cluster_id_idx on backups (cluster_id);
create index backups_next_at_idx on backups (next_at) where next_at is not null;

-- A run of a backup. A slot runs once, whatever the clock does; one run of a backup is under way at a time.
create table snapshots (
  id text constraint snapshots_pkey primary key,
  backup_id text not null constraint snapshots_backup_id_fkey references backups (id),
  owner text not null,
  kind text not null constraint snapshots_kind_check check (kind in ('Fully', 'Incremental')),
  state text not null constraint snapshots_state_check
    check (state in ('Pending', 'Started', 'Running', 'Canceled', 'Completed', 'Failed')),
  scheduled_for timestamptz,
  -- As they were when it was asked of the agent.
  paths jsonb not null,
  task_id text,
  cancel_asked boolean not null default false,
  -- JSON of a `Reason`: what it waits for, why it failed, or what is to be said of it.
  reason text,
  -- The name of its file in the vault, and when the vault received that.
  restic_id text,
  received_at timestamptz,
  size bigint,
  new_bytes bigint,
  files bigint,
  unread_files bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- No longer kept: retention removed it.
  forgotten_at timestamptz,
  constraint snapshots_slot_key unique (backup_id, scheduled_for),
  constraint snapshots_ended_check check ((ended_at is not null) = (state in ('Canceled', 'Completed', 'Failed'))),
  constraint snapshots_stored_check check (state <> 'Completed' or (restic_id is not null and received_at is not null))
);
create unique index snapshots_open_idx on snapshots (backup_id) where ended_at is null;
create index snapshots_backup_id_idx on snapshots (backup_id, created_at desc);
create index snapshots_task_id_idx on snapshots (task_id) where task_id is not null;

create table restores (
  id text constraint restores_pkey primary key,
  backup_id text not null constraint restores_backup_id_fkey references backups (id),
  snapshot_id text not null constraint restores_snapshot_id_fkey references snapshots (id),
  owner text not null,
  way text not null constraint restores_way_check check (way in ('newFolder', 'replace')),
  state text not null constraint restores_state_check
    check (state in ('Pending', 'Started', 'Running', 'Canceled', 'Completed', 'Failed')),
  -- Before anything is replaced: it begins when this run is completed.
  after_snapshot_id text constraint restores_after_snapshot_id_fkey references snapshots (id),
  task_id text,
  cancel_asked boolean not null default false,
  reason text,
  needs_password boolean not null default false,
  -- As that of a backup, for this restore alone.
  box text,
  folder text,
  files bigint,
  size bigint,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  constraint restores_ended_check check ((ended_at is not null) = (state in ('Canceled', 'Completed', 'Failed'))),
  constraint restores_box_check check (box is null or ended_at is null)
);
create unique index restores_open_idx on restores (backup_id) where ended_at is null;
create index restores_backup_id_idx on restores (backup_id, created_at desc);
create index restores_task_id_idx on restores (task_id) where task_id is not null;

-- Forgetting snapshots and pruning: what no person asks for.
create table backup_chores (
  id text constraint backup_chores_pkey primary key,
  backup_id text not null constraint backup_chores_backup_id_fkey references backups (id),
  owner text not null,
  kind text not null constraint backup_chores_kind_check check (kind in ('forget', 'prune')),
  -- Ids of `snapshots`.
  snapshots jsonb not null default '[]',
  task_id text,
  reason text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index backup_chores_open_idx on backup_chores (backup_id) where ended_at is null;
create index backup_chores_task_id_idx on backup_chores (task_id) where task_id is not null;
