-- oldest program: 0.1.0
-- Events of an account's objects that nobody asked for, for the list in the console's header; kept for 30 days.
create table news (
  number bigint generated always as identity primary key,
  account_id text not null references accounts (account_id) on delete cascade,
  at timestamptz not null,
  kind text not null,
  object_id text not null,
  -- The object's name at that time: later it may have another, or be gone.
  object_name text not null,
  -- The rule of an alert.
  detail text
);
create index news_account_idx on news (account_id, at desc, number desc);
