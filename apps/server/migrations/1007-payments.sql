-- A row is a card that the gateway stores. Only the last four digits of its number are kept here.
create table payment_methods (
  id text constraint payment_methods_pkey primary key,
  userid text not null constraint payment_methods_userid_fkey references accounts (account_id) on delete cascade,
  gateway text not null constraint payment_methods_gateway_check check (gateway in ('sandbox', 'stripe')),
  -- Ids at the gateway.
  customer_ref text not null,
  card_ref text not null,
  brand text not null,
  last4 text not null constraint payment_methods_last4_check check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null constraint payment_methods_exp_month_check check (exp_month between 1 and 12),
  exp_year integer not null,
  is_default boolean not null,
  created_at timestamptz not null,
  -- The row of a removed card is kept for the payments that refer to it.
  removed_at timestamptz,
  -- The gateway's identifier of the card's number, the same for everyone who enters that number. Nobody can be charged
  -- or identified with it. Null if it was not recorded.
  fingerprint text constraint payment_methods_fingerprint_check check (length(fingerprint) between 1 and 255),
  constraint payment_methods_card_ref_key unique (gateway, card_ref),
  constraint payment_methods_default_check check (not is_default or removed_at is null)
);
create unique index payment_methods_default_idx on payment_methods (userid) where is_default;
create index payment_methods_fingerprint_idx on payment_methods (fingerprint) where fingerprint is not null;
create index payment_methods_userid_idx on payment_methods (userid);

-- A row is a hosted page that was opened to enter a card. States and writers: modules/payments/cards/card-setup.ts.
create table card_setups (
  id text constraint card_setups_pkey primary key,
  userid text not null constraint card_setups_userid_fkey references accounts (account_id) on delete cascade,
  gateway text not null,
  currency text not null constraint card_setups_currency_check check (currency in ('usd', 'cny')),
  locale text not null,
  return_url text not null,
  -- Card that the new one replaces; null if it replaces none.
  replaces text constraint card_setups_replaces_fkey references payment_methods (id),
  state text not null constraint card_setups_state_check check (state in ('asked', 'open', 'done', 'canceled')),
  -- Id and URL of the page at the gateway; null until it is opened.
  ref text,
  url text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint card_setups_ended_check check ((ended_at is not null) = (state in ('done', 'canceled'))),
  constraint card_setups_open_check check (state <> 'open' or (ref is not null and url is not null))
);
create index card_setups_created_at_idx on card_setups (created_at);
create index card_setups_userid_idx on card_setups (userid);

-- Id of each webhook event that was received, so that a repeated delivery changes nothing.
create table gateway_events (
  gateway text,
  id text,
  received_at timestamptz not null,
  constraint gateway_events_pkey primary key (gateway, id)
);
create index gateway_events_received_at_idx on gateway_events (received_at);

-- The sandbox is a built-in payment gateway that moves no money (modules/payments/drivers/sandbox). It accepts test
-- numbers only. A row is a card; like any gateway, the sandbox keeps only four digits of the number, and the expiry
-- date. `charging` says how the card behaves.
create table sandbox_cards (
  id text constraint sandbox_cards_pkey primary key,
  customer text not null,
  brand text not null,
  last4 text not null constraint sandbox_cards_last4_check check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null,
  exp_year integer not null,
  charging text not null
    constraint sandbox_cards_charging_check check (charging in ('pays', 'declines', 'asks', 'disputed',
      'unrefundable')),
  detached_at timestamptz,
  -- HMAC of the card's number; null if it was not recorded.
  fingerprint text
);

-- A row is a page of the sandbox on which a card is entered.
create table sandbox_setups (
  setup_id text constraint sandbox_setups_pkey primary key,
  ref text not null constraint sandbox_setups_ref_key unique,
  customer text not null,
  locale text not null,
  return_url text not null,
  state text not null constraint sandbox_setups_state_check check (state in ('open', 'done', 'canceled')),
  -- The key is deferred because the page is ended before the card is inserted.
  card_id text,
  expires_at timestamptz not null,
  constraint sandbox_setups_card_id_fkey foreign key (card_id) references sandbox_cards(id) deferrable initially
    deferred,
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
  state text not null
    constraint sandbox_payments_state_check check (state in ('open', 'action', 'done', 'declined', 'canceled')),
  -- Why the payment was declined: a key in payments/reasons.ts (contract).
  code text,
  -- Until when the customer may confirm the payment.
  action_until timestamptz,
  created_at timestamptz not null,
  -- Document that the payment pays, its number and its period; null if the request named none.
  document text,
  number text,
  period text,
  constraint sandbox_payments_action_check check (state <> 'action' or action_until is not null),
  constraint sandbox_payments_code_check check ((state = 'declined') = (code is not null))
);

create table sandbox_refunds (
  refund_id text constraint sandbox_refunds_refund_id_key unique,
  ref text constraint sandbox_refunds_pkey primary key,
  payment_ref text not null constraint sandbox_refunds_payment_ref_fkey references sandbox_payments (ref),
  amount_minor bigint not null constraint sandbox_refunds_amount_check check (amount_minor > 0),
  created_at timestamptz not null,
  -- When the refund fails; null: it succeeds.
  fails_at timestamptz
);
create index sandbox_refunds_payment_ref_idx on sandbox_refunds (payment_ref);

create table sandbox_disputes (
  ref text constraint sandbox_disputes_pkey primary key,
  payment_ref text not null constraint sandbox_disputes_payment_ref_fkey references sandbox_payments (ref),
  amount_minor bigint not null constraint sandbox_disputes_amount_check check (amount_minor > 0),
  state text not null constraint sandbox_disputes_state_check check (state in ('open', 'won', 'lost')),
  due_by timestamptz not null,
  created_at timestamptz not null
);
create index sandbox_disputes_payment_ref_idx on sandbox_disputes (payment_ref);
