-- oldest program: 0.1.0
-- How a bank is answered about a dispute: once, by an operator; a job sends it.
create table dispute_answers (
  dispute_id text constraint dispute_answers_pkey primary key references disputes (id),
  way text not null constraint dispute_answers_way_check check (way in ('evidence', 'accept')),
  text text not null,
  answered_by text not null references accounts (account_id),
  answered_at timestamptz not null,
  attempts int not null default 0,
  sent_at timestamptz,
  refused text
);
