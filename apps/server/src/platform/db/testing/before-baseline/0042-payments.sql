-- Cards as the gateway keeps them. Of a number only its last four digits are ever here.
create table payment_methods (
  id text constraint payment_methods_pkey primary key,
  userid text not null constraint payment_methods_userid_fkey references accounts (userid) on delete cascade,
  gateway text not null constraint payment_methods_gateway_check check (gateway in ('sandbox', 'stripe')),
  -- The gateway's own ids.
  customer_ref text not null,
  card_ref text not null,
  brand text not null,
  last4 text not null constraint payment_methods_last4_check check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null constraint payment_methods_exp_month_check check (exp_month between 1 and 12),
  exp_year integer not null,
  is_default boolean not null,
  created_at timestamptz not null,
  -- A removed card stays for the payments that name it.
  removed_at timestamptz,
  constraint payment_methods_card_ref_key unique (gateway, card_ref),
  constraint payment_methods_default_check check (not is_default or removed_at is null)
);
create index payment_methods_userid_idx on payment_methods (userid);
create unique index payment_methods_default_idx on payment_methods (userid) where is_default;

-- Hosted pages that were opened to enter a card; states and who writes them: modules/payments/cards/card-setup.ts.
create table card_setups (
  id text constraint card_setups_pkey primary key,
  userid text not null constraint card_setups_userid_fkey references accounts (userid) on delete cascade,
  gateway text not null,
  currency text not null constraint card_setups_currency_check check (currency in ('usd', 'cny')),
  locale text not null,
  return_url text not null,
  -- The card that the new one takes the place of.
  replaces text constraint card_setups_replaces_fkey references payment_methods (id),
  state text not null constraint card_setups_state_check check (state in ('asked', 'open', 'done', 'canceled')),
  ref text,
  url text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint card_setups_open_check check (state <> 'open' or (ref is not null and url is not null)),
  constraint card_setups_ended_check check ((ended_at is not null) = (state in ('done', 'canceled')))
);
create index card_setups_userid_idx on card_setups (userid);
create index card_setups_created_at_idx on card_setups (created_at);

-- Each webhook's own id, once: one that is sent again changes nothing.
create table gateway_events (
  gateway text not null,
  id text not null,
  received_at timestamptz not null,
  constraint gateway_events_pkey primary key (gateway, id)
);
create index gateway_events_received_at_idx on gateway_events (received_at);
