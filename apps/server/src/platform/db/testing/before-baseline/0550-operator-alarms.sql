-- oldest program: 0.1.0
-- What an operator was told and is not over.
create table operator_alarms (
  name text constraint operator_alarms_pkey primary key,
  severity text not null constraint operator_alarms_severity check (severity in ('critical', 'warning')),
  text text not null,
  since timestamptz not null,
  told_at timestamptz not null
);
