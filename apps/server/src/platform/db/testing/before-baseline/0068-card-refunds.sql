-- What goes back from a balance to the card that paid. It is set aside from the moment it is asked for until the gateway
-- has said how it ended.
create table card_refunds (
  id text constraint card_refunds_pkey primary key,
  userid text not null constraint card_refunds_userid_fkey references accounts (userid),
  payment_id text not null constraint card_refunds_payment_id_fkey references payments (id),
  currency text not null constraint card_refunds_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint card_refunds_amount_check check (amount_minor > 0),
  state text not null constraint card_refunds_state_check check (state in ('pending', 'done', 'declined')),
  -- How often the gateway was asked: from the second time on it is asked what became of it first.
  attempts integer not null default 0,
  gateway_ref text,
  decline_code text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint card_refunds_ended_check check ((ended_at is not null) = (state <> 'pending'))
);
create index card_refunds_payment_id_idx on card_refunds (payment_id);
create index card_refunds_userid_idx on card_refunds (userid, created_at);
