-- How collecting a renewal's invoice goes, from its issue until it is paid. Times are the account's.
create table dunnings (
  invoice_id text constraint dunnings_pkey primary key constraint dunnings_invoice_id_fkey references invoices (id),
  userid text not null constraint dunnings_userid_fkey references accounts (userid),
  -- Of four: on days 0, 1, 3 and 5.
  tries smallint not null constraint dunnings_tries_check check (tries between 0 and 4),
  tried_at timestamptz,
  -- Since the last of them failed: creating is refused, and what the invoice holds is stopped.
  past_due_at timestamptz
);
create index dunnings_past_due_idx on dunnings (userid) where past_due_at is not null;

-- Accounts whose bills the server stopped writing, because there were too many or one was too large: until the operator
-- has looked.
create table parked_accounts (
  userid text constraint parked_accounts_pkey primary key
    constraint parked_accounts_userid_fkey references accounts (userid),
  -- The wall's time.
  parked_at timestamptz not null,
  why text not null,
  -- When the operator had looked: bills from before that do not count any more.
  released_at timestamptz
);
