-- Why acts that cannot be taken back wait (platform/careful). A row is there only while there is a doubt.
create table doubts (
  -- careful: this deployment was restored or copied. clock: its time jumped. The rest: an outside source was not yet
  -- asked whether it knows more than this database.
  about text constraint doubts_pkey primary key
    constraint doubts_about_check check (about in ('careful', 'clock', 'gateway', 'zones', 'vault', 'provider')),
  since timestamptz not null,
  why text not null
);

insert into doubts (about, since, why)
  select 'careful', value::timestamptz, 'this deployment was restored' from deployment_facts where name = 'careful since';
delete from deployment_facts where name = 'careful since';

-- What is outside and newer than this database; accepted when the operator resumes.
create table evidence (
  about text not null constraint evidence_about_check check (about in ('gateway', 'zones', 'vault', 'provider')),
  object text not null,
  -- In words, for the operator.
  detail text not null,
  found_at timestamptz not null,
  accepted_at timestamptz,
  constraint evidence_pkey primary key (about, object)
);

-- Each time that careful mode was ended: documents go on in a new series from there.
create table resumptions (
  number integer constraint resumptions_pkey primary key constraint resumptions_number_check check (number > 0),
  careful_since timestamptz not null,
  why text not null,
  resumed_at timestamptz not null
);
