-- What owners chose for the rules of their clusters (module observe); a rule without a row is as it is by default.
create table alert_rules (
  cluster_id text not null constraint alert_rules_cluster_id_fkey references clusters (id),
  rule text not null,
  is_on boolean not null,
  mail boolean not null,
  -- In the unit of the rule: percent, intervals; null where it has no such measure.
  threshold integer,
  clear_below integer,
  for_minutes integer not null constraint alert_rules_for_minutes_check check (for_minutes > 0),
  constraint alert_rules_pkey primary key (cluster_id, rule)
);

-- What of the instance it is: a workload, a backup.
alter table alert_states add column subject text;
alter table alert_events add column subject text;
