-- oldest program: 0.1.0
-- Archives of all data about an account, for its owner: kept for seven days.
create table account_exports (
  id text primary key,
  account_id text not null references accounts (account_id),
  state text not null
    constraint account_exports_state_check check (state in ('making', 'ready', 'failed', 'gone')),
  -- A member of staff, where the owner did not ask.
  asked_by text not null references accounts (account_id),
  asked_at timestamptz not null,
  ready_at timestamptz,
  until_at timestamptz,
  size integer,
  -- Null while it is made, and once it is gone.
  bytes bytea
);
-- One at a time.
create unique index account_exports_making_key on account_exports (account_id) where state = 'making';
create index account_exports_account_idx on account_exports (account_id, asked_at desc);
create index account_exports_until_idx on account_exports (until_at) where state = 'ready';
