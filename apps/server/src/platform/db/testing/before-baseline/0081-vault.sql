-- Where copies are kept: repositories of restic, each file of theirs, who may reach them and what an account holds.
-- Written by the vault (files, uploads, usage) and by whoever opens repositories and gives grants.
create table vault_repos (
  id text constraint vault_repos_pkey primary key,
  owner text not null constraint vault_repos_owner_fkey references accounts (userid),
  cluster_id text not null constraint vault_repos_cluster_id_fkey references clusters (id),
  created_at timestamptz not null,
  -- Of the file `config`, the only one that is not named by its hash; hex.
  config_sha256 text
);
create index vault_repos_owner_idx on vault_repos (owner);
create index vault_repos_cluster_id_idx on vault_repos (cluster_id);

create table vault_files (
  repo_id text not null constraint vault_files_repo_id_fkey references vault_repos,
  type text not null constraint vault_files_type_check
    check (type in ('config', 'keys', 'locks', 'snapshots', 'index', 'data')),
  -- SHA-256 of its bytes, hex; of config 'config'.
  name text not null collate "C",
  bytes bigint not null constraint vault_files_bytes_check check (bytes >= 0),
  stored_at timestamptz not null,
  -- Trash: still there, but for nobody but an undo. By whom: a grant, or whoever threw the repository away.
  trashed_at timestamptz,
  trashed_by text,
  -- Its bytes are being removed: no undo brings it back.
  removing_at timestamptz,
  -- When its bytes were last read and hashed, when they are to be, and since when they are known to differ.
  scrubbed_at timestamptz,
  scrub_at timestamptz not null,
  bad_at timestamptz,
  constraint vault_files_pkey primary key (repo_id, type, name),
  constraint vault_files_trash_check check ((trashed_at is null) = (trashed_by is null)),
  constraint vault_files_removing_check check (removing_at is null or trashed_at is not null)
);
create index vault_files_trash_idx on vault_files (trashed_at) where trashed_at is not null;
create index vault_files_scrub_idx on vault_files (scrub_at) where trashed_at is null;
create index vault_files_bad_idx on vault_files (repo_id) where bad_at is not null;
create index vault_files_locks_idx on vault_files (stored_at) where type = 'locks';

create table vault_grants (
  id text constraint vault_grants_pkey primary key,
  repo_id text not null constraint vault_grants_repo_id_fkey references vault_repos on delete cascade,
  rights text not null constraint vault_grants_rights_check check (rights in ('read', 'write', 'prune')),
  -- SHA-256 of the token, hex; the token itself is not kept.
  token_hash text not null,
  task_id text not null,
  until timestamptz not null,
  -- What prune may take besides data and index: these snapshots, and one key.
  delete_snapshots jsonb not null default '[]',
  delete_key text,
  created_at timestamptz not null
);
create index vault_grants_repo_id_idx on vault_grants (repo_id);
create index vault_grants_task_id_idx on vault_grants (task_id);
create index vault_grants_until_idx on vault_grants (until);

-- Sums over vault_files and vault_uploads, kept with them: one row is what a quota is held against.
create table vault_usage (
  owner text constraint vault_usage_pkey primary key
    constraint vault_usage_owner_fkey references accounts (userid),
  live_bytes bigint not null default 0 constraint vault_usage_live_check check (live_bytes >= 0),
  reserved_bytes bigint not null default 0 constraint vault_usage_reserved_check check (reserved_bytes >= 0),
  trash_bytes bigint not null default 0 constraint vault_usage_trash_check check (trash_bytes >= 0)
) with (fillfactor = 70);

-- What is being received; what is left of a vault that died (its lease has lapsed) is given back.
create table vault_uploads (
  id text constraint vault_uploads_pkey primary key,
  repo_id text not null constraint vault_uploads_repo_id_fkey references vault_repos on delete cascade,
  owner text not null,
  bytes bigint not null,
  holder text not null,
  begun_at timestamptz not null default clock_timestamp()
);
create index vault_uploads_repo_id_idx on vault_uploads (repo_id);
