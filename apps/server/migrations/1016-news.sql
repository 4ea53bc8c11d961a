-- Marks that an account has set once on its own pages: that the first steps are dismissed, that it keeps the password
-- of a backup, and up to when it has read its news.
create table account_marks (
  account_id text constraint account_marks_account_id_fkey references accounts (account_id) on delete cascade,
  mark text constraint account_marks_mark_check check (mark in ('stepsDismissed', 'passwordKept', 'newsRead')),
  at timestamptz not null,
  constraint account_marks_pkey primary key (account_id, mark)
);

-- Events of an account's objects that no person asked for, for the list in the console's header. Kept for 30 days.
create table news (
  number bigint generated always as identity constraint news_pkey primary key,
  account_id text not null constraint news_account_id_fkey references accounts (account_id) on delete cascade,
  at timestamptz not null,
  kind text not null,
  object_id text not null,
  -- Name of the object at that time; it may be renamed or deleted later.
  object_name text not null,
  -- Of an alert: its rule.
  detail text
);
create index news_account_idx on news (account_id, at desc, number desc);
