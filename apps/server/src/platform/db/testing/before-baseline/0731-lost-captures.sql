-- oldest program: 0.1.0
-- What the gateway took and nothing here stands for, as a job last found it: an operator adopts it or sends it back.
create table lost_captures (
  gateway text not null,
  ref text not null,
  payment_id text not null,
  -- Whose card it was, where that is known.
  account_id text references accounts (account_id),
  currency text not null constraint lost_captures_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint lost_captures_amount_check check (amount_minor > 0),
  document text,
  number text,
  taken_at timestamptz not null,
  found_at timestamptz not null,
  constraint lost_captures_pkey primary key (gateway, ref)
);
