-- What usage may cost in a period of the plan, from when it was set; null: no cap. Time of the account.
create table spend_caps (
  userid text not null constraint spend_caps_userid_fkey references accounts (userid),
  set_at timestamptz not null,
  amount_minor bigint constraint spend_caps_amount_check check (amount_minor >= 0),
  constraint spend_caps_pkey primary key (userid, set_at)
);
-- Which part of the cap a period has passed already: each is told once.
create table spend_cap_marks (
  userid text not null constraint spend_cap_marks_userid_fkey references accounts (userid),
  period_start timestamptz not null,
  percent smallint not null,
  constraint spend_cap_marks_pkey primary key (userid, period_start, percent)
);

-- What a usage bill is made of: what the meters said of a span. Times are the account's, but as_of and recorded_at.
create table usage_readings (
  id text constraint usage_readings_pkey primary key,
  userid text not null constraint usage_readings_userid_fkey references accounts (userid),
  subscription_id text not null constraint usage_readings_subscription_id_fkey references subscriptions (id),
  product_type text not null constraint usage_readings_product_type_check check (product_type in ('cloud_storage',
    'cloud_backup', 'cloud_traffic', 'cdn_traffic')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- 10^-6 units.
  used numeric not null constraint usage_readings_used_check check (used >= 0),
  unit_label text not null,
  as_of timestamptz not null,
  complete boolean not null,
  -- JSON text: [{clusterId, network?, used}].
  parts text not null,
  digest text not null,
  recorded_at timestamptz not null,
  constraint usage_readings_span_check check (from_at < to_at)
);
create index usage_readings_subscription_idx on usage_readings (subscription_id, from_at);
create trigger usage_readings_append_only before update or delete on usage_readings
  for each row execute function audit_refuse();
create trigger usage_readings_no_truncate before truncate on usage_readings
  for each statement execute function audit_refuse();
