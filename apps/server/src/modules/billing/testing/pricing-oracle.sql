-- What baskets cost, worked out a second time and in another way: PostgreSQL's own months, its exact numerics, and
-- windows for what the engine does step by step. Reads `oracle_baskets(id, drawn)`, answers a row a basket.
create function pg_temp.half_even(dividend numeric, divisor numeric) returns numeric language sql immutable as $$
  select case
    when 2 * mod(dividend, divisor) > divisor then div(dividend, divisor) + 1
    when 2 * mod(dividend, divisor) = divisor then div(dividend, divisor) + mod(div(dividend, divisor), 2)
    else div(dividend, divisor)
  end
$$;

-- Above the quotas: 10^-6 units times 10^-6 minor units times the seconds of the period.
create function pg_temp.above_quota(measure text, parts jsonb, whole numeric) returns numeric language plpgsql as $$
declare
  part record;
  above numeric;
  within numeric := 0;
  charged numeric := 0;
begin
  for part in
    select (p ->> 'used')::numeric as used, (p ->> 'quota')::numeric as quota,
      (p ->> 'to')::numeric - (p ->> 'from')::numeric as seconds, coalesce((p ->> 'rate')::numeric, 0) * 100000000 as micros
    from jsonb_array_elements(parts) with ordinality as of_item (p, place) order by place
  loop
    if measure = 'stock' then
      above := greatest(0, part.used * whole - part.quota * part.seconds);
    else
      above := greatest(0, within + part.used - part.quota) * whole;
      within := least(within + part.used, part.quota);
    end if;
    charged := charged + above * part.micros;
  end loop;
  return charged;
end
$$;

with baskets as (
  select id, drawn, (drawn ->> 'at')::timestamptz as at,
    case drawn ->> 'zone' when 'UTC+8' then interval '8 hours' else interval '0 hours' end as ahead
  from oracle_baskets
), items as (
  select id, place, item, item ->> 'kind' as kind, at, (drawn ->> 'usageCap')::numeric as cap,
    ((item ->> 'anchor')::timestamptz at time zone 'UTC' + ahead + (item ->> 'month')::int * interval '1 month' - ahead) at time zone 'UTC' as begins,
    ((item ->> 'anchor')::timestamptz at time zone 'UTC' + ahead + ((item ->> 'month')::int + 1) * interval '1 month' - ahead) at time zone 'UTC' as ends
  from baskets, jsonb_array_elements(drawn -> 'items') with ordinality as of_basket (item, place)
), timed as (
  select *, extract(epoch from ends - begins) as whole,
    extract(epoch from greatest(begins, least(ends, at)) - begins) as past
  from items
), priced as (
  select *, case kind
    when 'usage' then least(
      greatest(0, pg_temp.half_even(pg_temp.above_quota(item ->> 'measure', item -> 'parts', whole), 1000000000000 * whole)
        - coalesce((item ->> 'charged')::numeric, 0)),
      (item ->> 'cap')::numeric)
    else monthly - pg_temp.half_even(monthly * past, whole)
    end as uncapped
  from timed, greatest(0, (item ->> 'price')::numeric - coalesce((item ->> 'instead')::numeric, 0)) as monthly
), gross as (
  select id, place, kind, begins, case
    when kind = 'usage' and cap is not null then least(uncapped, greatest(0, cap - coalesce(sum(uncapped) filter (where kind = 'usage') over earlier, 0)))
    else uncapped end as amount
  from priced
  window earlier as (partition by id order by place rows between unbounded preceding and 1 preceding)
), coupons as (
  select id, rank, coupon, (
    select coalesce(sum(amount), 0) from gross
    where gross.id = baskets.id and coupon -> 'appliesTo' ? kind
      and (coupon ->> 'endsAt' is null or begins < (coupon ->> 'endsAt')::timestamptz)
  ) as base
  from baskets, jsonb_array_elements(drawn -> 'coupons') with ordinality as of_basket (coupon, rank)
), taken as (
  select *, least(base, coalesce(pg_temp.half_even(base * (coupon ->> 'percentOff')::numeric, 100), (coupon ->> 'amountOff')::numeric)) as off
  from coupons
), best as (
  select distinct on (id) id, coupon, base, off from taken where off > 0 order by id, off desc, rank
), spread as (
  select gross.*, off, base, sum(
    case when coupon -> 'appliesTo' ? kind and (coupon ->> 'endsAt' is null or begins < (coupon ->> 'endsAt')::timestamptz)
      then amount else 0 end) over (partition by gross.id order by place) as running
  from gross left join best on best.id = gross.id
), shared as (
  select *, coalesce(pg_temp.half_even(off * running, base), 0) as until_here from spread
), net as (
  select *, until_here - coalesce(lag(until_here) over (partition by id order by place), 0) as discount from shared
), totals as (
  select net.id, sum(amount - discount) as total,
    jsonb_agg(jsonb_build_array(amount, discount) order by place) as items
  from net group by net.id
), paid as (
  select totals.*, drawn, least((drawn ->> 'promo')::numeric, total) as promo, (drawn ->> 'cash')::numeric as cash
  from totals join baskets using (id)
), due as (
  select *, least(greatest(-cash, 0), total - promo) as balance,
    total - promo - least(greatest(-cash, 0), total - promo) as rest
  from paid
), carded as (
  select *, rest > 0 and (drawn ->> 'mayRoll')::boolean
    and rest + greatest(cash, 0) < case drawn ->> 'currency' when 'usd' then 100 else 500 end as rolls
  from due
)
select id, items, total::float8, coalesce((select coupon ->> 'code' from best where best.id = carded.id), '') as code,
  jsonb_build_object('promo', promo, 'balance', balance,
    'card', case when rest = 0 or rolls then 0 else rest + greatest(cash, 0) end,
    'collected', case when rest = 0 or rolls then 0 else greatest(cash, 0) end,
    'rolled', case when rolls then rest else 0 end) as split
from carded order by id;
