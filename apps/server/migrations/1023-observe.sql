-- How much of an agent's own counters was added to traffic_counters, for bytes that do not pass through the edge.
create table agent_traffic_marks (
  instance_id text constraint agent_traffic_marks_pkey primary key,
  -- The last measurement that was added, with its counters.
  at timestamptz not null,
  net_in bigint not null,
  net_out bigint not null
);

-- A series is the measurements of an instance. The row is deleted with the instance; its samples can then no longer be
-- found, and are dropped with their partitions.
create table sample_series (
  series integer generated always as identity constraint sample_series_pkey primary key,
  instance_id text not null constraint sample_series_instance_id_key unique
);

-- The newest sample, written at most every 15 s. Only the key is indexed and pages have free space, so that updates
-- stay on their page (HOT).
create table latest_samples (
  series integer
    constraint latest_samples_pkey primary key
    constraint latest_samples_series_fkey references sample_series (series) on delete cascade,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_total bigint not null,
  disk_used bigint not null,
  disk_total bigint not null
) with (fillfactor = 70);

-- Measurements that one process received from an instance within a minute. `at` is the time of the last sample, so that
-- a repeated write counts once, and what two processes received is kept side by side. A partition is an hour (UTC). The
-- columns are ordered by size.
create table minute_samples (
  at timestamptz,
  memory bigint not null,
  memory_max bigint not null,
  disk bigint not null,
  -- Counters since the agent started, at the last sample. A row ends where a counter falls.
  net_in bigint not null,
  net_out bigint not null,
  series integer,
  cpu real not null,
  cpu_max real not null,
  samples smallint not null,
  constraint minute_samples_pkey primary key (series, at)
) partition by range (at);

-- Five minutes starting at `at`, computed from minute_samples. A partition is a day (UTC), written hour by hour in the
-- order of series.
create table five_minute_samples (
  at timestamptz,
  memory bigint not null,
  memory_max bigint not null,
  disk bigint not null,
  -- Increase of the counters, and in `seconds` the time for which it is known.
  bytes_in bigint not null,
  bytes_out bigint not null,
  series integer,
  cpu real not null,
  cpu_max real not null,
  seconds real not null,
  samples smallint not null,
  constraint five_minute_samples_pkey primary key (series, at)
) partition by range (at);

-- Hours that have minute samples.
create table sample_hours (
  hour timestamptz constraint sample_hours_pkey primary key,
  -- Null: five_minute_samples does not match the hour's current minutes.
  rolled_at timestamptz
);

-- A row exists while a rule is not ok, and for an hour after its last mail. It is deleted with its series.
create table alert_states (
  series integer constraint alert_states_series_fkey references sample_series (series) on delete cascade,
  rule text,
  state text not null constraint alert_states_state_check check (state in ('ok', 'pending', 'firing')),
  since timestamptz not null,
  -- When the rule was last evaluated with a sample.
  seen_at timestamptz not null,
  -- When the owner was last mailed that the rule fired; null: never.
  mailed_at timestamptz,
  -- Whether that mail was about the current firing.
  is_told boolean not null,
  -- Which part of the instance it concerns: a workload or a backup.
  subject text,
  constraint alert_states_pkey primary key (series, rule)
);

-- A row is an alert that fired or cleared.
create table alert_events (
  id bigint generated always as identity constraint alert_events_pkey primary key,
  owner text not null constraint alert_events_owner_fkey references accounts (account_id),
  cluster_id text not null,
  instance_id text not null,
  rule text not null,
  kind text not null constraint alert_events_kind_check check (kind in ('fired', 'cleared')),
  -- 0 to 1; null if the rule has no measure.
  value real,
  at timestamptz not null,
  -- As in alert_states.
  subject text,
  -- When the owner was mailed about it; null: never.
  mailed_at timestamptz
);
create index alert_events_at_idx on alert_events using brin (at);
create index alert_events_cluster_id_idx on alert_events (cluster_id, at desc);

-- A row is the token with which an account's own Prometheus reads its measurements (module observe). An account has at
-- most one, stored as a hash.
create table scrape_tokens (
  token_hash text not null constraint scrape_tokens_token_hash_key unique,
  created_at timestamptz not null,
  used_at timestamptz,
  account_id text
    constraint scrape_tokens_pkey primary key
    constraint scrape_tokens_account_id_fkey references accounts (account_id) on delete cascade
);

-- Settings that an owner chose for a rule of a cluster (module observe). Without a row, account_alert_rules or the
-- default applies.
create table alert_rules (
  cluster_id text constraint alert_rules_cluster_id_fkey references clusters (id),
  rule text,
  is_on boolean not null,
  mail boolean not null,
  -- In the unit of the rule, such as percent or intervals; null if the rule has no such measure.
  threshold integer,
  clear_below integer,
  for_minutes integer not null constraint alert_rules_for_minutes_check check (for_minutes > 0),
  constraint alert_rules_pkey primary key (cluster_id, rule)
);

-- Settings that an owner chose for a rule of all clusters, including those created later (module observe). A row in
-- alert_rules takes precedence for its cluster.
create table account_alert_rules (
  owner text constraint account_alert_rules_owner_fkey references accounts (account_id),
  rule text,
  is_on boolean not null,
  mail boolean not null,
  -- As in alert_rules.
  threshold integer,
  clear_below integer,
  for_minutes integer not null constraint account_alert_rules_for_minutes_check check (for_minutes > 0),
  constraint account_alert_rules_pkey primary key (owner, rule)
);

-- The first partitions; job samples.tend makes the next ones.
do $$
declare
  this_hour timestamptz := date_trunc('hour', now(), 'UTC');
  this_day timestamptz := date_trunc('day', now(), 'UTC');
begin
  for n in -25..3 loop
    execute format('create table %I partition of minute_samples for values from (%L) to (%L)',
      'minute_samples_' || to_char((this_hour + n * interval '1 hour') at time zone 'UTC', 'YYYYMMDDHH24'),
      this_hour + n * interval '1 hour', this_hour + (n + 1) * interval '1 hour');
  end loop;
  for n in -7..2 loop
    execute format('create table %I partition of five_minute_samples for values from (%L) to (%L)',
      'five_minute_samples_' || to_char((this_day + n * interval '24 hours') at time zone 'UTC', 'YYYYMMDDHH24'),
      this_day + n * interval '24 hours', this_day + (n + 1) * interval '24 hours');
  end loop;
end $$;
