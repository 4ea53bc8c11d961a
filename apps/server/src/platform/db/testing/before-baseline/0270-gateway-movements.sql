-- Money that a gateway moves on its own: disputes, refunds made in its dashboard, refunds that fail later
-- (modules/payments/gateway-movements.ts, modules/billing/movements). And what a restored copy needs so that nothing is
-- charged or numbered twice (modules/billing/attempts, documents).

-- The ledger: what is disputed, and a refund that came back.
alter table ledger_transactions
  drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in ('invoice', 'void', 'hold', 'release', 'pay', 'roll',
    'collect', 'late_capture', 'credit_note', 'grant', 'lapse', 'card_refund', 'refund_returned', 'dispute',
    'dispute_lost', 'dispute_returned', 'write_off', 'adjust'));
alter table ledger_entries
  drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account ~ '^gateway:[a-z]+$' or account in ('cash', 'promo',
    'disputed', 'held:cash', 'held:promo', 'receivable', 'revenue:instance', 'revenue:plan', 'revenue:usage', 'discount',
    'promo_cost', 'writeoff', 'adjust'));

-- What banks took back for good of what paid the invoice, and how often it was opened again for that.
alter table invoices
  add column lost_minor bigint not null default 0 constraint invoices_lost_check check (lost_minor >= 0),
  add column reopened integer not null default 0 constraint invoices_reopened_check check (reopened >= 0);
drop trigger invoices_frozen on invoices;
create trigger invoices_frozen before update on invoices for each row
  when (to_jsonb(old) - array['state', 'payment_id', 'closed_at', 'lost_minor', 'reopened'] is distinct from
    to_jsonb(new) - array['state', 'payment_id', 'closed_at', 'lost_minor', 'reopened'])
  execute function audit_refuse();

alter table payments
  -- How often it was made at the gateway: what was found nowhere is made again under another key.
  add column sends integer not null default 0 constraint payments_sends_check check (sends >= 0),
  -- The id under which the gateway knows it, where a capture of the same document was found there and adopted.
  add column captured_as text,
  -- Of an invoice that a dispute opened again: how often that had been when this payment began.
  add column round integer not null default 0;
update payments set sends = 1 where method_id is not null and state <> 'created';
-- Paid once each time that it is open.
drop index payments_succeeded_key;
create unique index payments_succeeded_key on payments (invoice_id, round) where state = 'succeeded';
create index payments_gateway_ref_idx on payments (gateway, gateway_ref) where gateway_ref is not null;

-- Captures of which no payment was here, taken over by the operator: the customer's credit.
create table adopted_captures (
  -- Our own id that it carries.
  id text constraint adopted_captures_pkey primary key,
  userid text not null constraint adopted_captures_userid_fkey references accounts (userid),
  gateway text not null,
  gateway_ref text not null,
  -- The document that it says it paid.
  document text,
  number text,
  currency text not null constraint adopted_captures_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint adopted_captures_amount_check check (amount_minor > 0),
  adopted_at timestamptz not null,
  constraint adopted_captures_gateway_ref_key unique (gateway, gateway_ref)
);
create index adopted_captures_userid_idx on adopted_captures (userid);

-- A refund is of a payment or of an adopted capture; one from the dashboard is known by the gateway's ref alone.
alter table card_refunds
  alter column payment_id drop not null,
  add column capture_id text constraint card_refunds_capture_id_fkey references adopted_captures (id),
  -- Made in the gateway's dashboard: nothing was set aside for it.
  add column is_foreign boolean not null default false,
  -- False: what was set aside was released before it was booked, as was done once.
  add column is_from_held boolean not null default true,
  drop constraint card_refunds_state_check,
  add constraint card_refunds_state_check check (state in ('pending', 'done', 'declined', 'returned')),
  add constraint card_refunds_of_check check ((payment_id is null) <> (capture_id is null));
update card_refunds set is_from_held = false where state = 'done';

create table disputes (
  id text constraint disputes_pkey primary key,
  userid text not null constraint disputes_userid_fkey references accounts (userid),
  payment_id text constraint disputes_payment_id_fkey references payments (id),
  capture_id text constraint disputes_capture_id_fkey references adopted_captures (id),
  gateway text not null,
  gateway_ref text not null,
  currency text not null constraint disputes_currency_check check (currency in ('usd', 'cny')),
  -- Disputed; withdrawn of that and not reinstated; and of what is withdrawn, lost: owed on the invoice, or as cash.
  amount_minor bigint not null,
  withdrawn_minor bigint not null,
  lost_minor bigint not null,
  lost_cash_minor bigint not null,
  state text not null constraint disputes_state_check check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
  reason text not null,
  due_by timestamptz,
  -- How many postings there are of it: each has a key of its own.
  moves integer not null,
  opened_at timestamptz not null,
  ended_at timestamptz,
  constraint disputes_gateway_ref_key unique (gateway, gateway_ref),
  constraint disputes_of_check check ((payment_id is null) <> (capture_id is null)),
  constraint disputes_minor_check check (lost_minor >= 0 and lost_cash_minor >= 0
    and withdrawn_minor >= lost_minor + lost_cash_minor)
);
create index disputes_userid_idx on disputes (userid);
create index disputes_payment_id_idx on disputes (payment_id);

-- After each resume from a restore, numbers go on in a series of their own.
alter table billing_accounts add column series integer not null default 0
  constraint billing_accounts_series_check check (series >= 0);

-- The sandbox.
alter table sandbox_cards
  drop constraint sandbox_cards_charging_check,
  add constraint sandbox_cards_charging_check
    check (charging in ('pays', 'declines', 'asks', 'disputed', 'unrefundable'));
alter table sandbox_payments add column document text, add column number text, add column period text;
alter table sandbox_refunds
  drop constraint sandbox_refunds_pkey,
  alter column refund_id drop not null,
  add constraint sandbox_refunds_refund_id_key unique (refund_id),
  add column created_at timestamptz not null default now(),
  add column fails_at timestamptz;
alter table sandbox_refunds alter column created_at drop default;
alter table sandbox_refunds drop constraint sandbox_refunds_ref_key, add constraint sandbox_refunds_pkey primary key (ref);
create table sandbox_disputes (
  ref text constraint sandbox_disputes_pkey primary key,
  payment_ref text not null constraint sandbox_disputes_payment_ref_fkey references sandbox_payments (ref),
  amount_minor bigint not null constraint sandbox_disputes_amount_check check (amount_minor > 0),
  state text not null constraint sandbox_disputes_state_check check (state in ('open', 'won', 'lost')),
  due_by timestamptz not null,
  created_at timestamptz not null
);
create index sandbox_disputes_payment_ref_idx on sandbox_disputes (payment_ref);
