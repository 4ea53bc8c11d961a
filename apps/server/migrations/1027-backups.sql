-- A row is a backup that a personal server makes itself, as its program reports it. The report proves nothing, and is
-- not billed.
create table client_backups (
  owner text constraint client_backups_owner_fkey references accounts (account_id),
  -- Chosen by the program.
  id text,
  name text not null,
  kind text not null constraint client_backups_kind_check check (kind in ('files', 'app')),
  path text not null,
  location text not null,
  made_at timestamptz not null,
  state text not null constraint client_backups_state_check check (state in ('saved', 'stopped', 'deleted')),
  created_at timestamptz not null,
  constraint client_backups_pkey primary key (owner, id)
);

-- A row is a snapshot of such a backup, as the program reports it.
create table client_snapshots (
  owner text,
  backup_id text,
  id text,
  restic_id text not null,
  bytes bigint not null,
  new_bytes bigint not null,
  taken_at timestamptz not null,
  status text not null,
  kind text not null constraint client_snapshots_kind_check check (kind in ('fully', 'incremental')),
  -- Where the program says that the snapshot is stored.
  place jsonb not null,
  message text not null,
  created_at timestamptz not null,
  constraint client_snapshots_pkey primary key (owner, backup_id, id),
  constraint client_snapshots_backup_fkey foreign key (owner, backup_id) references client_backups(owner, id) on
    delete cascade
);

-- A row is a prefix in the object store for one personal server. `server_ref` is the program's name for the server.
create table client_prefixes (
  prefix text constraint client_prefixes_pkey primary key,
  owner text not null constraint client_prefixes_owner_fkey references accounts (account_id),
  server_ref text not null,
  -- Bytes that were stored there when it was last listed.
  bytes bigint not null default 0,
  listed_at timestamptz,
  created_at timestamptz not null,
  constraint client_prefixes_server_key unique (owner, server_ref)
);

-- A row is a set of temporary credentials for a prefix.
create table sts_grants (
  -- SHA-256, hex, of the key, secret and token, one per line. They are not stored themselves.
  hash text constraint sts_grants_pkey primary key,
  prefix text not null constraint sts_grants_prefix_fkey references client_prefixes (prefix) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index sts_grants_expires_at_idx on sts_grants (expires_at);

-- A row is a plan to back up a cluster.
create table backups (
  id text constraint backups_pkey primary key,
  owner text not null constraint backups_owner_fkey references accounts (account_id),
  cluster_id text not null constraint backups_cluster_id_fkey references clusters (id),
  name text not null,
  -- Repository in the vault.
  repo_id text not null,
  paths jsonb not null,
  schedule jsonb not null,
  -- The same for all backups of a cluster.
  time_zone text not null,
  keep jsonb not null,
  state text not null constraint backups_state_check check (state in ('active', 'paused', 'deleting', 'deleted')),
  -- Slots up to this one have been handled.
  slots_until timestamptz not null,
  -- When the next run begins; null unless the backup is active.
  next_at timestamptz,
  -- Password, sealed in the browser for the host's key. Kept until a run has opened the repository with it.
  box text,
  -- `kept`: the host has it since a run that succeeded.
  password text not null constraint backups_password_check check (password in ('missing', 'given', 'kept', 'wrong')),
  -- True once a run was completed, which created the repository.
  has_repository boolean not null default false,
  pruned_at timestamptz,
  created_at timestamptz not null,
  -- When the backup ends; while it is `deleting`, this time is in the future.
  deleted_at timestamptz,
  -- Since when what is stored is known to be damaged; null if it is not.
  damaged_at timestamptz,
  -- When what is stored was last known to be whole again.
  sound_at timestamptz,
  -- A proof was requested: `asked` waits for the host, `reading` is done by the host, `hashing` by the store. Null:
  -- none is in progress.
  prove_state text constraint backups_prove_state_check check (prove_state in ('asked', 'reading', 'hashing')),
  -- Since when the proof has been in this state.
  prove_since timestamptz,
  -- Why the last requested proof could not be made: JSON of `Reason`.
  prove_reason text,
  -- shrink: much less is stored than earlier; rewrite: much is new. No snapshot is forgotten until the owner answers
  -- that this was expected.
  alarm text constraint backups_alarm_check check (alarm in ('shrink', 'rewrite')),
  alarm_at timestamptz,
  alarm_snapshot_id text,
  -- Percent.
  alarm_share integer,
  -- True: the owner answered that the change was not theirs.
  alarm_held boolean not null default false,
  -- Earlier runs are no longer compared with, because the owner expected the change.
  guard_since timestamptz,
  -- When work is due that neither a slot nor a person triggers: reading back, a drill.
  look_at timestamptz,
  -- How many files the deletion of the backup moved to the trash. It can be undone while all of them are there.
  trashed_files integer,
  -- Clusters that the backup belonged to earlier.
  former_clusters text[] not null default '{}',
  -- A cluster that was restored from this backup and activated while the backup's own cluster still exists. The owner
  -- is asked which of them the backup belongs to. Null: there is none.
  move_to text constraint backups_move_to_fkey references clusters (id),
  -- Causes of failed runs and chores that the owner was notified of since they last succeeded, by what failed.
  troubles jsonb not null default '{}',
  -- Password that the host is to use from now on, sealed for the host's key; null: no change is requested.
  new_box text,
  -- Name of the key file that the change removes now or next; null: the change has not begun.
  old_key text,
  -- Why the last change failed: JSON of `Reason`.
  new_box_reason text,
  -- Each repository in the vault has a small signed file beside it that names its owner and its plan. This is the state
  -- of the plan when that file was last written (backups/records/plan-file-store.ts); null: there is no file yet.
  plan_file_mark text,
  constraint backups_alarm_whole_check check ((alarm is null) = (alarm_at is null) and (alarm is null) =
    (alarm_snapshot_id is null)),
  constraint backups_box_check check ((box is not null) = (password = 'given')),
  constraint backups_deleted_check check ((deleted_at is not null) = (state in ('deleting', 'deleted'))),
  constraint backups_next_check check (next_at is null or state = 'active'),
  constraint backups_prove_check check ((prove_state is null) = (prove_since is null))
);
create index backups_cluster_id_idx on backups (cluster_id);
create index backups_look_at_idx on backups (look_at) where look_at is not null;
create index backups_next_at_idx on backups (next_at) where next_at is not null;
create index backups_owner_idx on backups (owner);
create index backups_prove_idx on backups (id) where prove_state is not null;
create index backups_troubled_idx on backups (id) where state = 'active' and troubles ? 'run';

-- A row is a run of a backup. A slot runs once, whatever the clock does, and only one run of a backup is in progress at
-- a time.
create table snapshots (
  id text constraint snapshots_pkey primary key,
  backup_id text not null constraint snapshots_backup_id_fkey references backups (id),
  owner text not null constraint snapshots_owner_fkey references accounts (account_id),
  kind text not null constraint snapshots_kind_check check (kind in ('Fully', 'Incremental')),
  state text not null
    constraint snapshots_state_check check (state in ('Pending', 'Started', 'Running', 'Canceled', 'Completed',
      'Failed')),
  -- The slot; null if the run was not scheduled.
  scheduled_for timestamptz,
  -- The paths when the agent was asked.
  paths jsonb not null,
  task_id text,
  cancel_asked boolean not null default false,
  -- Why the run waits or failed, or a remark about it: JSON of `Reason`.
  reason text,
  -- Name of the snapshot's file in the vault.
  restic_id text,
  -- When the vault received that file.
  received_at timestamptz,
  size bigint,
  new_bytes bigint,
  files bigint,
  unread_files bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- When retention removed the snapshot; null: it is kept.
  forgotten_at timestamptz,
  -- Root of the tree as it was backed up, keyed with the repository's own id; the number of its files; and the paths
  -- that it leaves out.
  tree_root text,
  tree_files bigint,
  tree_apart jsonb not null default '[]',
  -- When the agent began; `started_at` is when it was asked to.
  running_at timestamptz,
  -- When the snapshot was pinned; null: it is not.
  pinned_at timestamptz,
  -- Null: until the owner unpins it.
  pinned_until timestamptz,
  constraint snapshots_slot_key unique (backup_id, scheduled_for),
  constraint snapshots_ended_check check ((ended_at is not null) = (state in ('Canceled', 'Completed', 'Failed'))),
  constraint snapshots_pinned_check check (pinned_until is null or pinned_at is not null),
  constraint snapshots_stored_check check (state <> 'Completed' or (restic_id is not null and received_at is not
    null))
);
create index snapshots_backup_id_idx on snapshots (backup_id, created_at desc);
create unique index snapshots_open_idx on snapshots (backup_id) where ended_at is null;
create index snapshots_task_id_idx on snapshots (task_id) where task_id is not null;

alter table backups add constraint backups_alarm_snapshot_id_fkey foreign key (alarm_snapshot_id) references
  snapshots(id);
-- A row is a restore of a snapshot.
create table restores (
  id text constraint restores_pkey primary key,
  backup_id text not null constraint restores_backup_id_fkey references backups (id),
  snapshot_id text not null constraint restores_snapshot_id_fkey references snapshots (id),
  owner text not null constraint restores_owner_fkey references accounts (account_id),
  way text not null
    constraint restores_way_check check (way in ('newFolder', 'beside', 'replace', 'newCluster', 'drill')),
  state text not null
    constraint restores_state_check check (state in ('Pending', 'Started', 'Running', 'Canceled', 'Completed',
      'Failed')),
  -- Run that has to be completed before anything is replaced.
  after_snapshot_id text constraint restores_after_snapshot_id_fkey references snapshots (id),
  task_id text,
  cancel_asked boolean not null default false,
  reason text,
  needs_password boolean not null default false,
  -- As in `backups`, for this restore alone.
  box text,
  folder text,
  files bigint,
  size bigint,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- Cluster that is created for the restore. Such restores may run beside others of their backup, one for each cluster.
  target_cluster_id text constraint restores_target_cluster_id_fkey references clusters (id),
  -- When the agent began; `started_at` is when it was asked to.
  running_at timestamptz,
  -- Folder on the drive with the replaced files that no snapshot holds.
  kept_folder text,
  -- Number of files in that folder.
  kept_files bigint,
  -- True: the folder has everything that was replaced.
  kept_whole boolean not null default false,
  -- For `newCluster`: when the activation of the cluster was noticed.
  activated_at timestamptz,
  -- RestoreChoice, which only the host can open. Null: the whole snapshot, or the restore has ended.
  choice text,
  -- Cluster of the same account that reads the snapshot into a new folder, while the one that was backed up is away.
  reader_cluster_id text constraint restores_reader_cluster_id_fkey references clusters (id),
  constraint restores_box_check check (box is null or ended_at is null),
  constraint restores_choice_check check (choice is null or way in ('newFolder', 'beside', 'replace')),
  constraint restores_ended_check check ((ended_at is not null) = (state in ('Canceled', 'Completed', 'Failed'))),
  constraint restores_target_check check ((target_cluster_id is not null) = (way = 'newCluster'))
);
create index restores_backup_id_idx on restores (backup_id, created_at desc);
create unique index restores_open_idx on restores (backup_id) where ended_at is null and way <> 'newCluster';
create index restores_target_cluster_id_idx on restores (target_cluster_id) where target_cluster_id is not null;
create unique index restores_target_idx on restores (target_cluster_id) where ended_at is null;
create index restores_task_id_idx on restores (task_id) where task_id is not null;

alter table instances add constraint instances_restore_id_fkey foreign key (restore_id) references restores(id);
-- A row is maintenance of a backup: pruning, checks, drills and changes of the password.
create table backup_chores (
  id text constraint backup_chores_pkey primary key,
  backup_id text not null constraint backup_chores_backup_id_fkey references backups (id),
  owner text not null constraint backup_chores_owner_fkey references accounts (account_id),
  kind text not null
    constraint backup_chores_kind_check check (kind in ('forget', 'prune', 'check', 'drill', 'password')),
  -- Ids in `snapshots`.
  snapshots jsonb not null default '[]',
  task_id text,
  reason text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- For `check`: part k of n.
  part integer,
  parts integer,
  -- Cluster on which the drill runs; null: on the backed-up host itself. Its task follows once the host of that cluster
  -- has the password.
  drill_cluster_id text constraint backup_chores_drill_cluster_id_fkey references clusters (id),
  -- Task that asks the backed-up host to seal the password for the other one.
  reseal_task_id text,
  -- Needed because there may be no task yet that could be canceled.
  cancel_asked boolean not null default false,
  constraint backup_chores_drill_cluster_check check (drill_cluster_id is null or kind = 'drill'),
  constraint backup_chores_part_check check ((kind = 'check') = (part is not null and parts is not null))
);
create index backup_chores_drill_cluster_id_idx on backup_chores (drill_cluster_id) where drill_cluster_id is not
  null;
create unique index backup_chores_open_idx on backup_chores (backup_id) where ended_at is null;
create index backup_chores_reseal_task_id_idx on backup_chores (reseal_task_id) where reseal_task_id is not null;
create index backup_chores_task_id_idx on backup_chores (task_id) where task_id is not null;

-- A row is the result of a proof and is never changed. Something that is read back in parts is as old as its oldest
-- part.
create table proofs (
  id text constraint proofs_pkey primary key,
  backup_id text not null constraint proofs_backup_id_fkey references backups (id),
  owner text not null constraint proofs_owner_fkey references accounts (account_id),
  snapshot_id text constraint proofs_snapshot_id_fkey references snapshots (id),
  -- A row of `written` or `read` that did not pass invalidates every earlier row.
  level text not null constraint proofs_level_check check (level in ('written', 'read', 'drilled')),
  passed boolean not null,
  -- For `read`: part k of n.
  part integer,
  parts integer,
  bytes bigint,
  files bigint,
  -- For `drilled`: files that came back unchanged.
  equal bigint,
  -- Why the proof did not pass: JSON of `Reason`.
  reason text,
  -- When reading began. Changes since then are not covered.
  at timestamptz not null,
  -- For `drilled`: the root was reported by another host than the one that was backed up.
  elsewhere boolean not null default false,
  constraint proofs_part_check check ((part is null) = (parts is null) and part between 1 and parts),
  constraint proofs_reason_check check (passed or reason is not null)
);
create index proofs_backup_id_idx on proofs (backup_id, at desc);
