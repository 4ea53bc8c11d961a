-- Which cluster had which host name or address, and when. Kept for 90 days.
create table cluster_addresses (
  number bigint generated always as identity constraint cluster_addresses_pkey primary key,
  -- Host name or address in lower case; a host name has no trailing dot.
  value text not null,
  cluster_id text not null,
  account_id text not null constraint cluster_addresses_account_id_fkey references accounts (account_id),
  from_at timestamptz not null,
  -- Null: the cluster still has it.
  until_at timestamptz
);
create unique index cluster_addresses_now_key on cluster_addresses (value, cluster_id) where until_at is null;
create index cluster_addresses_until_idx on cluster_addresses (until_at);
create index cluster_addresses_value_idx on cluster_addresses (value, from_at);

-- A row is a report of abuse that staff recorded.
create table abuse_reports (
  id text constraint abuse_reports_pkey primary key,
  -- The reported host name, address or URL.
  what text not null,
  seen_at timestamptz not null,
  reporter text not null,
  text text not null,
  -- Cluster that had the address at that time; null if none here had it.
  cluster_id text,
  account_id text constraint abuse_reports_account_id_fkey references accounts (account_id),
  written_by text not null constraint abuse_reports_written_by_fkey references accounts (account_id),
  written_at timestamptz not null,
  closed_by text constraint abuse_reports_closed_by_fkey references accounts (account_id),
  closed_at timestamptz,
  outcome text
    constraint abuse_reports_outcome_check check (outcome in ('suspended', 'warned', 'unfounded', 'notOurs')),
  closing text
);
create index abuse_reports_account_idx on abuse_reports (account_id);
create index abuse_reports_written_idx on abuse_reports (closed_at desc nulls first, written_at, id);
