-- Which grant brought a file (module vault). Null: stored before this was recorded, so before every grant.
alter table vault_files add column grant_id text;
create index vault_files_grant_idx on vault_files (repo_id, grant_id) where grant_id is not null;
alter table vault_uploads add column grant_id text;

-- Every grant there was, for as long as a file or what was made of one names it. Grants themselves end with their tasks.
create table vault_grant_history (
  id text constraint vault_grant_history_pkey primary key,
  repo_id text not null constraint vault_grant_history_repo_id_fkey references vault_repos on delete cascade,
  rights text not null,
  task_id text not null,
  created_at timestamptz not null,
  -- Why a file under it was refused room, the last time: the account's quota, or the disk of the vault.
  refused text constraint vault_grant_history_refused_check check (refused in ('quota', 'disk'))
);
create index vault_grant_history_repo_id_idx on vault_grant_history (repo_id, created_at);
create index vault_grant_history_task_id_idx on vault_grant_history (task_id);
insert into vault_grant_history (id, repo_id, rights, task_id, created_at)
  select id, repo_id, rights, task_id, created_at from vault_grants;

-- Since when a grant to prune may write into what is kept free of the disk; one at a time.
alter table vault_grants add column reserve_at timestamptz;
