-- Approved commands of staff that their cluster no longer allowed when they were given. Staff are told on Overview.
create table late_commands (
  cluster_id text
    constraint late_commands_pkey primary key
    constraint late_commands_cluster_id_fkey references clusters (id),
  owner text not null
    constraint late_commands_owner_fkey references accounts (account_id),
  at timestamptz not null
);
