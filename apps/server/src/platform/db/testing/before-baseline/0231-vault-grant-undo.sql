-- Going back to before a grant (module vault).
-- The hands a file went through before its present ones, oldest first: [{"storedBy": vg_ | null, "takenBy": …}, …].
-- Only where another grant than the one that took it stored it again.
alter table vault_files add column past jsonb;

create index vault_files_trashed_by_idx on vault_files (repo_id, trashed_by) where trashed_at is not null;

-- What grants took and is gone for good, by who had stored it ('' is before every grant).
create table vault_gone (
  repo_id text not null constraint vault_gone_repo_id_fkey references vault_repos on delete cascade,
  stored_by text not null,
  taken_by text not null,
  files integer not null,
  bytes bigint not null,
  constraint vault_gone_pkey primary key (repo_id, stored_by, taken_by)
);

-- Each time a repository was taken back to before a grant; the newest one may be undone.
create table vault_returns (
  id text constraint vault_returns_pkey primary key,
  repo_id text not null constraint vault_returns_repo_id_fkey references vault_repos on delete cascade,
  grant_id text not null,
  at timestamptz not null,
  undone_at timestamptz
);
create index vault_returns_repo_id_idx on vault_returns (repo_id, at);
