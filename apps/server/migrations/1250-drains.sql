-- oldest program: 0.1.0
-- A member whose instances are moved to others of its region, one after another, within a window of time.
create table drains (
  id text constraint drains_pkey primary key,
  cloud_name text not null,
  region_id text not null,
  member text not null,
  state text not null
    constraint drains_state_check check (state in ('running', 'done', 'noRoom', 'over', 'left', 'stopped')),
  begins_at timestamptz not null,
  -- No move begins after it.
  ends_at timestamptz not null,
  asked_by text not null
    constraint drains_asked_by_fkey references accounts (account_id),
  asked_at timestamptz not null,
  -- When the mails to the owners were written.
  told_at timestamptz,
  ended_at timestamptz
);
create unique index drains_running on drains (cloud_name, region_id, member) where state = 'running';
create index drains_newest on drains (cloud_name, region_id, member, asked_at desc);

-- The instances that a drain began to move, each once: one that did not get there stays where it is.
create table drain_moves (
  drain_id text
    constraint drain_moves_drain_id_fkey references drains (id),
  instance_id text
    constraint drain_moves_instance_id_fkey references instances (id),
  began_at timestamptz not null,
  constraint drain_moves_pkey primary key (drain_id, instance_id)
);
