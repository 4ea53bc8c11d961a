-- oldest program: 0.1.0
-- What a staff member's wallet is asked to approve: used once, within five minutes. Removed after two days, with the
-- customer's name and its salt; the signed text itself stays in the audit log.
create table approvals (
  nonce text primary key,
  -- Whose wallet is asked.
  account_id text not null references accounts (account_id),
  act text not null,
  -- The very JSON that is signed, but for whose key it is.
  statement text not null,
  name text not null,
  salt text not null,
  jws text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  read_at timestamptz,
  declined_at timestamptz,
  used_at timestamptz
);
create index approvals_account_idx on approvals (account_id, created_at);
create index approvals_created_idx on approvals (created_at);
