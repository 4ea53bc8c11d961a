-- oldest program: 0.1.0
-- Money that operators gave or sent back, by day: a limit of each is counted here.
create table staff_moves (
  number bigint generated always as identity primary key,
  account_id text not null references accounts (account_id),
  currency text not null,
  amount_minor bigint not null,
  at timestamptz not null
);
create index staff_moves_account_idx on staff_moves (account_id, at);
