-- What programs of personal servers tell of backups that they make themselves, and where they may store them.
-- None of it is proof, and none of it is billed.
create table client_backups (
  owner text not null constraint client_backups_owner_fkey references accounts (userid),
  -- Chosen by the program.
  id text not null,
  name text not null,
  kind text not null constraint client_backups_kind_check check (kind in ('files', 'app')),
  path text not null,
  location text not null,
  made_at timestamptz not null,
  state text not null constraint client_backups_state_check check (state in ('saved', 'stopped', 'deleted')),
  created_at timestamptz not null,
  constraint client_backups_pkey primary key (owner, id)
);

create table client_snapshots (
  owner text not null,
  backup_id text not null,
  id text not null,
  restic_id text not null,
  bytes bigint not null,
  new_bytes bigint not null,
  taken_at timestamptz not null,
  status text not null,
  kind text not null constraint client_snapshots_kind_check check (kind in ('fully', 'incremental')),
  -- Where it is said to be.
  place jsonb not null,
  message text not null,
  created_at timestamptz not null,
  constraint client_snapshots_pkey primary key (owner, backup_id, id),
  constraint client_snapshots_backup_fkey foreign key (owner, backup_id) references client_backups on delete cascade
);

-- One a personal server, as the program names it.
create table client_prefixes (
  prefix text constraint client_prefixes_pkey primary key,
  owner text not null constraint client_prefixes_owner_fkey references accounts (userid),
  server_ref text not null,
  -- What was there when it was last listed.
  bytes bigint not null default 0,
  listed_at timestamptz,
  created_at timestamptz not null,
  constraint client_prefixes_server_key unique (owner, server_ref)
);

create table sts_grants (
  -- SHA-256 of key, secret and token, a line each, hex; they themselves are not kept.
  hash text constraint sts_grants_pkey primary key,
  prefix text not null constraint sts_grants_prefix_fkey references client_prefixes on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index sts_grants_expires_at_idx on sts_grants (expires_at);
