-- Which mails about money were written, so that each is once, however often what it tells is run.
create table billing_mails (
  userid text constraint billing_mails_userid_fkey references accounts (userid),
  key text,
  kind text not null,
  -- Time of the account.
  at timestamptz not null,
  constraint billing_mails_pkey primary key (userid, key)
);
