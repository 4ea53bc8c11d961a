-- A row is an act that a staff member's wallet is asked to approve. It can be used once, within five minutes. It is
-- removed after two days, with the customer's name and its salt; the signed text stays in the audit log.
create table approvals (
  nonce text constraint approvals_pkey primary key,
  -- The staff member.
  account_id text not null constraint approvals_account_id_fkey references accounts (account_id),
  act text not null,
  -- The JSON that is signed, except for the key of the signer.
  statement text not null,
  -- Name of the customer. The statement contains only its hash with the salt.
  name text not null,
  salt text not null,
  -- The wallet's signature; null until the act is approved.
  jws text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  read_at timestamptz,
  declined_at timestamptz,
  used_at timestamptz
);
create index approvals_account_idx on approvals (account_id, created_at);
create index approvals_created_idx on approvals (created_at);

-- Notes of staff about a customer.
create table customer_notes (
  number bigint generated always as identity constraint customer_notes_pkey primary key,
  -- The customer.
  account_id text not null constraint customer_notes_account_id_fkey references accounts (account_id),
  written_by text not null constraint customer_notes_written_by_fkey references accounts (account_id),
  text text not null,
  at timestamptz not null
);
create index customer_notes_account_idx on customer_notes (account_id, number);

-- Why a staff member opened a customer's account. The reason is requested once a day.
create table support_looks (
  staff_id text constraint support_looks_staff_id_fkey references accounts (account_id),
  -- The customer.
  account_id text constraint support_looks_account_id_fkey references accounts (account_id),
  reason text not null,
  begun_at timestamptz not null,
  -- When the access was last written to the audit log.
  recorded_at timestamptz not null,
  constraint support_looks_pkey primary key (staff_id, account_id)
);

-- Clusters that a suspension stopped. They are started again when it is released.
create table hold_stops (
  hold_id text constraint hold_stops_hold_id_fkey references account_holds (id),
  cluster_id text,
  constraint hold_stops_pkey primary key (hold_id, cluster_id)
);

-- Money that an operator credited or refunded. The amounts of each operator are summed up by day, because they are
-- limited.
create table staff_moves (
  number bigint generated always as identity constraint staff_moves_pkey primary key,
  -- The operator.
  account_id text not null constraint staff_moves_account_id_fkey references accounts (account_id),
  currency text not null,
  amount_minor bigint not null,
  at timestamptz not null
);
create index staff_moves_account_idx on staff_moves (account_id, at);

-- A row is something that needs a person's attention, as last found. It is deleted when it no longer holds.
create table attention_items (
  kind text,
  key text,
  severity text not null constraint attention_items_severity_check check (severity in ('critical', 'warning')),
  since timestamptz not null,
  facts jsonb not null,
  object text,
  -- Not counted until then; null: counted.
  snoozed_until timestamptz,
  constraint attention_items_pkey primary key (kind, key)
);

-- When attention items were last looked for; a single row.
create table attention_looks (
  only_row boolean default true
    constraint attention_looks_pkey primary key
    constraint attention_looks_only_row_check check (only_row),
  looked_at timestamptz not null
);
