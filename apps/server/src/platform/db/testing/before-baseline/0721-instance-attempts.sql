-- oldest program: 0.1.0
-- Calls of a provider that failed: the newest of each instance, for whoever has to find out why.
create table instance_attempts (
  number bigint generated always as identity primary key,
  instance_id text not null references instances (id) on delete cascade,
  call text not null,
  at timestamptz not null,
  took_ms integer not null,
  -- JSON of a reason.
  reason text not null,
  host text not null
);
create index instance_attempts_instance_idx on instance_attempts (instance_id, number desc);

-- The order of the list of every cluster.
create index clusters_name_idx on clusters (lower(name), id)
  where status not in ('destroyed', 'canceled') and purpose = 'user';
