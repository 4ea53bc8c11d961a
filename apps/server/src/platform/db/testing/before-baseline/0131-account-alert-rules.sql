-- What an owner chose for a rule at all clusters (module observe), those made later included; a cluster that has a row
-- of its own in alert_rules goes by that.
create table account_alert_rules (
  owner text not null constraint account_alert_rules_owner_fkey references accounts (userid),
  rule text not null,
  is_on boolean not null,
  mail boolean not null,
  -- As in alert_rules.
  threshold integer,
  clear_below integer,
  for_minutes integer not null constraint account_alert_rules_for_minutes_check check (for_minutes > 0),
  constraint account_alert_rules_pkey primary key (owner, rule)
);
