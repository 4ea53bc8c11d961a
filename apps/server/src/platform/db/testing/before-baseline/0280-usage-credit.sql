-- Usage above a quota is credit (module billing): a period may be billed in parts, when what is not billed yet reaches
-- what the account's means cover.
alter table invoice_items add column part integer not null default 0
  constraint invoice_items_part_check check (part >= 0);
alter table invoice_items drop constraint invoice_items_once_key;
alter table invoice_items add constraint invoice_items_once_key unique (item_id, period_start, reason, part);

-- Of a period of a plan: up to which amount its usage was covered when it was looked at, gross minor units. More than
-- that is not charged where no means cover it.
create table usage_credits (
  subscription_id text constraint usage_credits_subscription_id_fkey references subscriptions (id),
  period_start timestamptz,
  userid text not null constraint usage_credits_userid_fkey references accounts (userid),
  covered_minor bigint not null constraint usage_credits_covered_check check (covered_minor >= 0),
  -- What the period came to by its readings when it was billed as a whole; null until then.
  priced_minor bigint constraint usage_credits_priced_check check (priced_minor >= 0),
  constraint usage_credits_pkey primary key (subscription_id, period_start)
);
create index usage_credits_userid_idx on usage_credits (userid);
