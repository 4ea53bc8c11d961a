-- How much of what is scarce (names, mails, audit records) somebody used lately. Unlogged: its commits wait for no disk,
-- and after a crash everybody begins at nothing.
create unlogged table rate_counts (
  -- the pot, 'account' or 'network', and which
  key text primary key,
  -- when nothing of it counts any more
  full_at timestamptz not null
);
create index rate_counts_full_at on rate_counts (full_at);
