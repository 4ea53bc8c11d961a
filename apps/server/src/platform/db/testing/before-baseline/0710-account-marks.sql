-- oldest program: 0.1.0
-- What an account has said once about its own pages: that it wants the first steps no more, that it keeps a backup's
-- password, and up to when it has read its news.
create table account_marks (
  account_id text not null references accounts (account_id) on delete cascade,
  mark text not null constraint account_marks_mark_check check (mark in ('stepsDismissed', 'passwordKept', 'newsRead')),
  at timestamptz not null,
  primary key (account_id, mark)
);
