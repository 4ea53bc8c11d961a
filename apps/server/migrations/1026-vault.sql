-- A row is a restic repository in the vault, where backups are stored. The vault writes files, uploads and usage; the
-- modules that call it open repositories and issue grants.
create table vault_repos (
  id text constraint vault_repos_pkey primary key,
  owner text not null constraint vault_repos_owner_fkey references accounts (account_id),
  cluster_id text not null constraint vault_repos_cluster_id_fkey references clusters (id),
  created_at timestamptz not null,
  -- SHA-256, hex, of the file `config`, the only file that is not named by its hash.
  config_sha256 text
);
create index vault_repos_cluster_id_idx on vault_repos (cluster_id);
create index vault_repos_owner_idx on vault_repos (owner);

-- A row is a file of a repository.
create table vault_files (
  repo_id text constraint vault_files_repo_id_fkey references vault_repos (id),
  type text
    constraint vault_files_type_check check (type in ('config', 'keys', 'locks', 'snapshots', 'index', 'data')),
  -- SHA-256 of the content, hex; `config` for the file config.
  name text collate "C",
  bytes bigint not null constraint vault_files_bytes_check check (bytes >= 0),
  stored_at timestamptz not null,
  -- Since when the file is in the trash. It still exists, but only an undo can reach it. Null: it is not in the trash.
  trashed_at timestamptz,
  -- The grant, or the id of what else deleted the file, such as a backup that was deleted.
  trashed_by text,
  -- Since when the content is being removed. An undo no longer brings the file back.
  removing_at timestamptz,
  -- When the content was last read and verified.
  scrubbed_at timestamptz,
  -- When the content is to be verified next.
  scrub_at timestamptz not null,
  -- Since when the content is known to differ from what was stored; null if it is not.
  bad_at timestamptz,
  -- Grant with which the file was stored. Null: it was not recorded, and the file counts as older than every grant.
  grant_id text,
  -- Grants that stored and took the file earlier, oldest first: [{"storedBy": vg_ | null, "takenBy": …}, …]. Set only
  -- if another grant than the one that took the file stored it again. It serves to go back to the state before a grant.
  past jsonb,
  -- Content of `config` and of each key, without which nothing in a repository can be read; each is under 1 kB. A file
  -- that is damaged or missing in the store is restored from here. Null for other types, and until the scrub has read
  -- the file.
  content bytea,
  constraint vault_files_pkey primary key (repo_id, type, name),
  constraint vault_files_content_check check (content is null or type in ('config', 'keys') and
    octet_length(content) <= 1024),
  constraint vault_files_removing_check check (removing_at is null or trashed_at is not null),
  constraint vault_files_trash_check check ((trashed_at is null) = (trashed_by is null))
);
create index vault_files_bad_idx on vault_files (repo_id) where bad_at is not null;
create index vault_files_grant_idx on vault_files (repo_id, grant_id) where grant_id is not null;
create index vault_files_locks_idx on vault_files (stored_at) where type = 'locks';
create index vault_files_scrub_idx on vault_files (scrub_at) where trashed_at is null;
create index vault_files_trash_idx on vault_files (trashed_at) where trashed_at is not null;
create index vault_files_trashed_by_idx on vault_files (repo_id, trashed_by) where trashed_at is not null;

-- A row is a right to access a repository for the duration of a task.
create table vault_grants (
  id text constraint vault_grants_pkey primary key,
  repo_id text not null constraint vault_grants_repo_id_fkey references vault_repos (id) on delete cascade,
  rights text not null constraint vault_grants_rights_check check (rights in ('read', 'write', 'prune')),
  -- SHA-256 of the token, hex. The token itself is not stored.
  token_hash text not null,
  task_id text not null,
  until timestamptz not null,
  -- A grant to prune may delete these snapshots and one key (`delete_key`), besides data and index files.
  delete_snapshots jsonb not null default '[]',
  delete_key text,
  created_at timestamptz not null,
  -- Since when a grant to prune may write to the reserved space of the disk. Only one grant may at a time.
  reserve_at timestamptz
);
create index vault_grants_repo_id_idx on vault_grants (repo_id);
create index vault_grants_task_id_idx on vault_grants (task_id);
create index vault_grants_until_idx on vault_grants (until);

-- Sums over vault_files and vault_uploads, updated with them. Quotas are checked against them.
create table vault_usage (
  owner text
    constraint vault_usage_pkey primary key
    constraint vault_usage_owner_fkey references accounts (account_id),
  live_bytes bigint not null default 0 constraint vault_usage_live_check check (live_bytes >= 0),
  reserved_bytes bigint not null default 0 constraint vault_usage_reserved_check check (reserved_bytes >= 0),
  trash_bytes bigint not null default 0 constraint vault_usage_trash_check check (trash_bytes >= 0)
) with (fillfactor = 70);

-- A row is an upload in progress. If its vault process died, so that its lease has lapsed, the reserved bytes are
-- released.
create table vault_uploads (
  id text constraint vault_uploads_pkey primary key,
  repo_id text not null constraint vault_uploads_repo_id_fkey references vault_repos (id) on delete cascade,
  owner text not null constraint vault_uploads_owner_fkey references accounts (account_id),
  bytes bigint not null,
  -- Lease of the process that receives the upload.
  holder text not null,
  begun_at timestamptz not null default clock_timestamp(),
  -- Type and name of the file. During the upload nobody removes what is stored under that name, so that the content can
  -- be stored without an open transaction.
  type text,
  name text,
  grant_id text
);
create index vault_uploads_repo_id_idx on vault_uploads (repo_id);

create sequence vault_grant_numbers as bigint;

-- Every grant that was ever issued, kept as long as a file or a record of a file names it. The grants themselves end
-- with their tasks.
create table vault_grant_history (
  id text constraint vault_grant_history_pkey primary key,
  repo_id text not null constraint vault_grant_history_repo_id_fkey references vault_repos (id) on delete cascade,
  rights text not null,
  task_id text not null,
  created_at timestamptz not null,
  -- Why a file under the grant was last refused for lack of space: the account's quota, or the disk of the vault. Null:
  -- none was refused.
  refused text constraint vault_grant_history_refused_check check (refused in ('quota', 'disk')),
  -- Order in which the grants were issued, whatever the clock said.
  number bigint not null default nextval('vault_grant_numbers')
);
create index vault_grant_history_number_idx on vault_grant_history (repo_id, number);
create index vault_grant_history_repo_id_idx on vault_grant_history (repo_id, created_at);
create index vault_grant_history_task_id_idx on vault_grant_history (task_id);

-- Counts of files that grants took and that are removed for good, by the grant that had stored them ('': before every
-- grant).
create table vault_gone (
  repo_id text constraint vault_gone_repo_id_fkey references vault_repos (id) on delete cascade,
  stored_by text,
  taken_by text,
  files integer not null,
  bytes bigint not null,
  constraint vault_gone_pkey primary key (repo_id, stored_by, taken_by)
);

create sequence vault_return_numbers as bigint;

-- A row is a return of a repository to its state before a grant. Only the newest one can be undone.
create table vault_returns (
  id text constraint vault_returns_pkey primary key,
  repo_id text not null constraint vault_returns_repo_id_fkey references vault_repos (id) on delete cascade,
  grant_id text not null,
  at timestamptz not null,
  undone_at timestamptz,
  -- Order in which the returns were made, whatever the clock said.
  number bigint not null default nextval('vault_return_numbers')
);
create index vault_returns_number_idx on vault_returns (repo_id, number);
create index vault_returns_repo_id_idx on vault_returns (repo_id, at);
