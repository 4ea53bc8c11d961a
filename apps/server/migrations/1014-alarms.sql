-- A row is an alarm that the operator was notified of and that is not over.
create table operator_alarms (
  name text constraint operator_alarms_pkey primary key,
  severity text not null constraint operator_alarms_severity check (severity in ('critical', 'warning')),
  text text not null,
  since timestamptz not null,
  -- When the operator was last notified.
  told_at timestamptz not null
);
