-- oldest program: 0.1.0
-- Who runs the deployment for others, from when until when: by the account's id, so that what they did is answered for
-- when their DID is gone.
create table staff (
  number bigint generated always as identity primary key,
  account_id text not null references accounts (account_id),
  role text not null constraint staff_role_check check (role in ('support', 'operator')),
  -- Null: the operator's command.
  granted_by text references accounts (account_id),
  granted_at timestamptz not null,
  ended_by text references accounts (account_id),
  ended_at timestamptz
);
create unique index staff_living_key on staff (account_id) where ended_at is null;
