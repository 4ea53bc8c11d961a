-- oldest program: 0.1.0
-- Which cluster had which host or address, for 90 days, and reports of abuse.
create table cluster_addresses (
  number bigint generated always as identity primary key,
  -- Lower case; a host without a dot at the end.
  value text not null,
  cluster_id text not null,
  account_id text not null references accounts (account_id),
  from_at timestamptz not null,
  -- Null: it has it still.
  until_at timestamptz
);
create unique index cluster_addresses_now_key on cluster_addresses (value, cluster_id) where until_at is null;
create index cluster_addresses_value_idx on cluster_addresses (value, from_at);
create index cluster_addresses_until_idx on cluster_addresses (until_at);

create table abuse_reports (
  id text primary key,
  what text not null,
  seen_at timestamptz not null,
  reporter text not null,
  text text not null,
  -- Null: nobody here had it then.
  cluster_id text,
  account_id text references accounts (account_id),
  written_by text not null references accounts (account_id),
  written_at timestamptz not null,
  closed_by text references accounts (account_id),
  closed_at timestamptz,
  outcome text
    constraint abuse_reports_outcome_check check (outcome in ('suspended', 'warned', 'unfounded', 'notOurs')),
  closing text
);
create index abuse_reports_written_idx on abuse_reports (closed_at desc nulls first, written_at, id);
create index abuse_reports_account_idx on abuse_reports (account_id);
