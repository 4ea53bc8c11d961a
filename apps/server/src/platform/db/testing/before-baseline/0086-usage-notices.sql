-- What an account is told of its plan's quotas: one row a product, the next in the place of the one before. Written by
-- the job that looks at the account's usage; `until` is the wall clock's.
create table usage_notices (
  userid text not null constraint usage_notices_userid_fkey references accounts (userid),
  product_type text not null,
  key text not null constraint usage_notices_key_check
    check (key in ('usageNear', 'usageCharged', 'usageLimited', 'usageOpen')),
  params jsonb not null,
  until timestamptz not null,
  constraint usage_notices_pkey primary key (userid, product_type)
);
