-- What is watched of instances by rules (module observe): where each rule stands, and what came of it.

-- A row while a rule is not ok, and for an hour after its last mail. It goes with its series.
create table alert_states (
  series integer not null constraint alert_states_series_fkey references sample_series on delete cascade,
  rule text not null,
  state text not null constraint alert_states_state_check check (state in ('ok', 'pending', 'firing')),
  since timestamptz not null,
  -- When it was evaluated last with a sample.
  seen_at timestamptz not null,
  -- Of the last mail that it fired, and whether that was of this firing.
  mailed_at timestamptz,
  is_told boolean not null,
  constraint alert_states_pkey primary key (series, rule)
);

create table alert_events (
  id bigint generated always as identity constraint alert_events_pkey primary key,
  owner text not null,
  cluster_id text not null,
  instance_id text not null,
  rule text not null,
  kind text not null constraint alert_events_kind_check check (kind in ('fired', 'cleared')),
  -- 0..1; null where the rule has no measure.
  value real,
  at timestamptz not null
);
create index alert_events_cluster_id_idx on alert_events (cluster_id, at desc);
create index alert_events_at_idx on alert_events using brin (at);
