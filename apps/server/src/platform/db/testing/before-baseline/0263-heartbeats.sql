-- Each process writes a row each 10 s: whether it can, and whether the database is still the one it wrote to.
create table heartbeats (
  process text constraint heartbeats_pkey primary key,
  number bigint not null,
  at timestamptz not null
);

-- When the queue last ran a job, by the database's clock.
create table queue_heartbeat (
  is_only boolean not null default true constraint queue_heartbeat_pkey primary key
    constraint queue_heartbeat_is_only_check check (is_only),
  at timestamptz not null
);
