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
  included numeric;
  quota_before numeric;
begin
  for part in
    select (p ->> 'used')::numeric as used, (p ->> 'quota')::numeric as quota,
      (p ->> 'from')::numeric as starts, (p ->> 'to')::numeric - (p ->> 'from')::numeric as seconds, coalesce((p ->> 'rate')::numeric, 0) * 100000000 as micros
    from jsonb_array_elements(parts) with ordinality as of_item (p, place) order by place
  loop
    if measure = 'stock' then
      above := greatest(0, part.used * whole - part.quota * part.seconds);
    else
      -- The first quota whole, and of each that takes its place the difference for the rest of the period.
      included := coalesce(included + (part.quota - quota_before) * (whole - part.starts), part.quota * whole);
      quota_before := part.quota;
      above := greatest(0, part.used * whole - greatest(0, included - within));
      within := within + part.used * whole - above;
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
  select id, place, kind, coalesce(item ->> 'sub', '') as sub, begins, ends, whole, case kind when 'usage' then whole else whole - past end as charged, case
    when kind = 'usage' and cap is not null then least(uncapped, greatest(0, cap - coalesce(sum(uncapped) filter (where kind = 'usage') over earlier, 0)))
    else uncapped end as amount
  from priced
  window earlier as (partition by id order by place rows between unbounded preceding and 1 preceding)
), coupons as (
  -- One for some months that reduced nothing yet begins to count with the first item.
  select id, rank, coupon, coupon ->> 'amountOff' is not null and not coalesce((coupon ->> 'isOnce')::boolean, false) as per_period,
    coalesce(starting.sub, coupon -> 'begins' ->> 'sub') as begun_sub, coalesce(starting.begins, (coupon -> 'begins' ->> 'from')::timestamptz) as begun_at,
    case when starting.sub is not null and (coupon ->> 'months')::integer = 1 then starting.ends else (coupon ->> 'endsAt')::timestamptz end as ends_at
  from baskets cross join lateral jsonb_array_elements(drawn -> 'coupons') with ordinality as of_basket (coupon, rank)
  left join lateral (select sub, begins, ends from gross where gross.id = baskets.id and coupon -> 'appliesTo' ? kind and amount > 0
    and coupon ->> 'months' is not null order by place limit 1) as starting on true
), scoped as (
  -- An amount is of one subscription: the one it is bound to, or any of the basket.
  select coupons.*, scope.sub as scope, scope.place as scope_place
  from coupons left join lateral (select sub, min(place) as place from gross where gross.id = coupons.id group by sub) as scope
    on per_period and (coupon ->> 'boundTo' is null or coupon ->> 'boundTo' = scope.sub)
  where not per_period or scope.sub is not null
), reduced as (
  select scoped.id, rank, coupon, per_period, scope_place, place, sub, amount, begins, charged, whole, case when per_period then begins end as of_period
  from scoped join gross using (id)
  where coupon -> 'appliesTo' ? kind and (scope is null or sub = scope) and (ends_at is null or begins < ends_at)
    and (begun_sub is null or begun_sub <> sub or begins >= begun_at)
), bases as (
  select id, rank, coupon, scope_place, of_period, per_period, sum(amount) as base, min(sub) as sub,
    bool_or(amount > 0 and charged * 10 >= whole) as is_long
  from reduced group by id, rank, coupon, scope_place, of_period, per_period
), offs as (
  select bases.*, least(base, case when coupon ->> 'percentOff' is not null then pg_temp.half_even(base * (coupon ->> 'percentOff')::numeric, 100)
    when per_period then greatest(0, (coupon ->> 'amountOff')::numeric - (select coalesce(sum((take ->> 'minor')::numeric), 0)
      from jsonb_array_elements(coalesce(coupon -> 'takes', '[]')) as take
      where case when take ->> 'sub' = sub then (take ->> 'starts')::timestamptz = of_period
        else (take ->> 'starts')::timestamptz <= of_period and of_period < (take ->> 'ends')::timestamptz end))
    else (coupon ->> 'amountOff')::numeric end) as off
  from bases
), taken as (
  select id, rank, coupon, scope_place, sum(off) as off, bool_or(is_long) as is_long from offs group by id, rank, coupon, scope_place
), best as (
  select distinct on (id) id, coupon, rank, scope_place from taken
  where off > 0 and (not coalesce((coupon ->> 'isOnce')::boolean, false)
    or case when coupon ->> 'amountOff' is null then is_long else off * 10 >= (coupon ->> 'amountOff')::numeric end)
  order by id, off desc, rank, scope_place
), spread as (
  select gross.id, gross.place, gross.amount, offs.of_period, offs.off, offs.base,
    sum(reduced.amount) over (partition by gross.id, offs.of_period, offs.off is null order by gross.place) as running
  from gross left join best on best.id = gross.id
    left join reduced on reduced.id = gross.id and reduced.place = gross.place and reduced.rank = best.rank and reduced.scope_place is not distinct from best.scope_place
    left join offs on offs.id = reduced.id and offs.rank = reduced.rank and offs.scope_place is not distinct from reduced.scope_place
      and offs.of_period is not distinct from reduced.of_period
), shared as (
  select *, coalesce(pg_temp.half_even(off * running, nullif(base, 0)), 0) as until_here from spread
), net as (
  select *, until_here - coalesce(lag(until_here) over (partition by id, of_period, off is null order by place), 0) as discount from shared
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
