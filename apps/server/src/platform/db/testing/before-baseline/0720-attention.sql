-- oldest program: 0.1.0
-- What needs a person, as it was found last; an item that does not hold any more has no row.
create table attention_items (
  kind text not null,
  key text not null,
  severity text not null constraint attention_items_severity_check check (severity in ('critical', 'warning')),
  since timestamptz not null,
  facts jsonb not null,
  object text,
  -- Not counted until then.
  snoozed_until timestamptz,
  constraint attention_items_pkey primary key (kind, key)
);

-- When it was looked at last: one row.
create table attention_looks (
  only_row boolean not null default true constraint attention_looks_only_row_check check (only_row),
  looked_at timestamptz not null,
  constraint attention_looks_pkey primary key (only_row)
);

-- For what is looked at each time.
create index operations_late_idx on operations (deadline_at) where state = 'running';
create index instances_errored_idx on instances (cluster_id) where status = 'errored';
create index backups_troubled_idx on backups (id) where state = 'active' and troubles ? 'run';
