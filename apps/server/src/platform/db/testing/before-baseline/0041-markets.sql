-- What an account pays in and the zone of its months: null until its first sign-in, then never changed. Accounts that
-- are older than billing pay in dollars.
alter table accounts
  add column currency text constraint accounts_currency_check check (currency in ('usd', 'cny')),
  add column zone text constraint accounts_zone_check check (zone in ('UTC', 'UTC+8')),
  add constraint accounts_market_check check ((currency is null) = (zone is null));
update accounts set currency = 'usd', zone = 'UTC';

-- vcpu_quota is what the operator granted; null follows the plan. Rows that hold what the setting gave them when they
-- were made, as their first audit record says, follow the plan from now on.
alter table accounts alter column vcpu_quota drop not null;
update accounts set vcpu_quota = null
where exists (
  select from audit_records
  where object_kind = 'account' and object_id = userid and action = 'account.create'
    and (after::jsonb ->> 'vCpuQuota')::integer = vcpu_quota
);
