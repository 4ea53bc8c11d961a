-- How far the account's clock is ahead of the wall's, ms: only forward, and only where it may travel. Instants of its
-- money are on that clock; its clusters, sessions and everybody else keep the wall's.
alter table accounts add column clock_offset_ms bigint not null default 0
  constraint accounts_clock_offset_ms_check check (clock_offset_ms >= 0);
