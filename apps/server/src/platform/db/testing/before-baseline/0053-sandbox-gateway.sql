-- The sandbox: a payment gateway of our own that moves no money (modules/payments/drivers/sandbox). It takes test numbers
-- alone, and keeps of one what a gateway tells: four digits, month and year, and how the card behaves.
create table sandbox_cards (
  id text constraint sandbox_cards_pkey primary key,
  customer text not null,
  brand text not null,
  last4 text not null constraint sandbox_cards_last4_check check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null,
  exp_year integer not null,
  charging text not null constraint sandbox_cards_charging_check check (charging in ('pays', 'declines', 'asks')),
  detached_at timestamptz
);

create table sandbox_setups (
  setup_id text constraint sandbox_setups_pkey primary key,
  ref text not null constraint sandbox_setups_ref_key unique,
  customer text not null,
  locale text not null,
  return_url text not null,
  state text not null constraint sandbox_setups_state_check check (state in ('open', 'done', 'canceled')),
  -- Deferred: whoever ends the page makes the card after that.
  card_id text constraint sandbox_setups_card_id_fkey references sandbox_cards (id) deferrable initially deferred,
  expires_at timestamptz not null,
  constraint sandbox_setups_card_check check ((state = 'done') = (card_id is not null))
);

create table sandbox_payments (
  payment_id text constraint sandbox_payments_pkey primary key,
  ref text not null constraint sandbox_payments_ref_key unique,
  card_id text not null constraint sandbox_payments_card_id_fkey references sandbox_cards (id),
  amount_minor bigint not null constraint sandbox_payments_amount_check check (amount_minor > 0),
  currency text not null constraint sandbox_payments_currency_check check (currency in ('usd', 'cny')),
  description text not null,
  locale text not null,
  return_url text not null,
  state text not null constraint sandbox_payments_state_check
    check (state in ('open', 'action', 'done', 'declined', 'canceled')),
  -- Why it was declined: a key of the contract's payments/reasons.ts.
  code text,
  -- Until when the customer may confirm it.
  action_until timestamptz,
  created_at timestamptz not null,
  constraint sandbox_payments_code_check check ((state = 'declined') = (code is not null)),
  constraint sandbox_payments_action_check check (state <> 'action' or action_until is not null)
);

create table sandbox_refunds (
  refund_id text constraint sandbox_refunds_pkey primary key,
  ref text not null constraint sandbox_refunds_ref_key unique,
  payment_ref text not null constraint sandbox_refunds_payment_ref_fkey references sandbox_payments (ref),
  amount_minor bigint not null constraint sandbox_refunds_amount_check check (amount_minor > 0)
);
create index sandbox_refunds_payment_ref_idx on sandbox_refunds (payment_ref);
