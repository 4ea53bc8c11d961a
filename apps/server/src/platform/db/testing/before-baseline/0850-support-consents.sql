-- oldest program: 0.1.0
-- That support asked to look at a customer, where the deployment has it ask first, and the customer's answer.
create table support_consents (
  account_id text primary key references accounts (account_id),
  reason text not null,
  asked_at timestamptz not null,
  -- Null: not answered yet.
  answered_at timestamptz,
  -- Allows looks for a day.
  is_allowed boolean not null default false
);
