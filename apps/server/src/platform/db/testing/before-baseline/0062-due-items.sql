-- What billing will do by itself, and when: one row for each kind and object until it is done.
create table due_items (
  userid text not null constraint due_items_userid_fkey references accounts (userid),
  -- Which runner takes it (modules/billing/time).
  kind text not null,
  -- Id of the invoice, subscription or grant.
  object text not null,
  -- Time of the account, and the same moment on the wall's clock: due_at less the account's clock_offset_ms.
  due_at timestamptz not null,
  wall_at timestamptz not null,
  -- Of a run that failed, or that waits for a payment under way: not before, by the wall's clock.
  retry_at timestamptz,
  failures integer not null default 0 constraint due_items_failures_check check (failures >= 0),
  constraint due_items_pkey primary key (userid, kind, object)
);
create index due_items_wall_at_idx on due_items (wall_at);
