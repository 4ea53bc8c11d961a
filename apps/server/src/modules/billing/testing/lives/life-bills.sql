-- What falls due in a life, and the bills of it: functions of life-oracle.sql.

-- Prices a basket and, where it costs something, writes it as a bill. `basket`: rows of (item, product, sub's anchor,
-- month …).
create function pg_temp.issue(bill text, bill_kind text, zone text, at timestamptz, basket jsonb, cap numeric, kept text) returns numeric
language plpgsql as $$
declare
  priced record;
  drawn jsonb;
begin
  drawn := jsonb_build_object('currency', 'usd', 'zone', zone, 'at', pg_temp.iso(at), 'items', basket,
    'coupons', pg_temp.usable(kept), 'usageCap', cap, 'promo', 0, 'cash', 0, 'mayRoll', false);
  select * into priced from pg_temp.priced(drawn);
  if (select sum((line ->> 0)::numeric) from jsonb_array_elements(priced.items) as line) = 0 and bill_kind in ('renewal', 'usage') then return 0; end if;
  if bill is null then return 1; end if;
  insert into bills values (bill, bill_kind, 'open', at, priced.total::numeric, null);
  if priced.code <> '' then insert into bill_coupons values (bill, priced.code); end if;
  insert into lines (invoice, line, item, product, starts, ends, month, instead, amount, discount)
  select bill, row_number() over (order by place), item ->> 'item', item ->> 'product',
    case when item ->> 'kind' = 'usage' then begins else greatest(begins, least(finishes, at)) end, finishes,
    (item ->> 'month')::integer, (item ->> 'instead')::numeric, (cost ->> 0)::numeric, (cost ->> 1)::numeric
  from (
    select place, item, priced.items -> (place - 1)::integer as cost,
      pg_temp.month_at((item ->> 'anchor')::timestamptz, (item ->> 'month')::integer, zone) as begins,
      pg_temp.month_at((item ->> 'anchor')::timestamptz, (item ->> 'month')::integer + 1, zone) as finishes
    from jsonb_array_elements(basket) with ordinality as of_basket (item, place)
  ) as of_bill where item ->> 'kind' <> 'usage' or (cost ->> 0)::numeric > 0;
  return (select sum(amount) from lines where invoice = bill);
end
$$;

create function pg_temp.prepaid(item text, anchor timestamptz, month integer, price numeric, kind text, instead numeric) returns jsonb language sql immutable as $$
  select jsonb_build_object('item', item, 'product', 'Instance', 'anchor', pg_temp.iso(anchor), 'month', month, 'price', price, 'kind', kind, 'instead', instead)
$$;

-- All that is renewed with what ends at `due`: a bill, or nothing where it costs nothing. What was ordered since a
-- cluster was renewed with others is renewed where its own period ends (`ahead`).
create function pg_temp.renew(bill text, zone text, due timestamptz) returns numeric language plpgsql as $$
declare
  one record;
  cost numeric;
  basket jsonb;
begin
  create temp table renewing on commit drop as
  select sub, kind, anchor, renewed as month, null::integer as pending, ahead as begins from subs where ahead = due order by sub limit 1;
  if not found then
    insert into renewing select sub, kind, anchor, renewed + 1, pending, pg_temp.month_at(anchor, renewed + 1, zone) from subs
    where exists (select from items where items.sub = subs.sub and state = 'active')
      and pg_temp.day_of(pg_temp.month_at(anchor, renewed + 1, zone), zone) = pg_temp.day_of(due, zone)
      -- A plan that changes does so where its own period ends.
      and (pending is null or pg_temp.month_at(anchor, renewed + 1, zone) <= due);
  end if;
  for one in select * from renewing where kind = 'plan' and pending is not null loop
    update items set state = 'ended', ended = one.begins where sub = one.sub and state = 'active';
    update items set state = 'active', began = one.begins where sub = one.sub and state = 'unpaid' and level = one.pending;
    update subs set pending = null where sub = one.sub;
    if one.pending = 0 then delete from renewing where sub = one.sub; end if;
  end loop;
  select coalesce(jsonb_agg(pg_temp.prepaid(item, anchor, month, price, case when level is null then 'instance' else 'plan' end, null)
    order by ordered, item), '[]') into basket
  from items join renewing using (sub)
  where state = 'active' and not exists (select from lines join bills using (invoice)
    where lines.item = items.item and lines.product = 'Instance' and bills.state <> 'void' and lines.ends > renewing.begins);
  cost := 0;
  if basket <> '[]' then cost := pg_temp.issue(bill, 'renewal', zone, due, basket, null, null); end if;
  update subs set renewed = month, ahead = case when renewing.kind = 'cluster' and begins > due then begins end
  from renewing where renewing.sub = subs.sub;
  drop table renewing;
  return cost;
end
$$;

-- What was used of a product in a period of a plan, cut where another took its place; as an item of a basket.
create function pg_temp.usage_item(of_sub text, of_month integer, of_product text, zone text, now timestamptz) returns jsonb language sql as $$
  with period as (
    select anchor, pg_temp.month_at(anchor, of_month, zone) as begins, pg_temp.month_at(anchor, of_month + 1, zone) as finishes from subs where sub = of_sub
  ), spans as (
    select item, level, begins, finishes, anchor, greatest(began, begins) as starts, least(coalesce(ended, finishes), finishes) as ends,
      row_number() over (order by began, ordered) as place
    from items, period where items.sub = of_sub and began < finishes and (ended is null or ended > begins)
  ), parts as (
    select spans.*, extract(epoch from starts - begins) as seconds_from, extract(epoch from ends - begins) as seconds_to,
      (select coalesce(sum(micros), 0) from flows where product = of_product and flows.at >= starts and flows.at < ends and known <= now) as used
    from spans where starts < ends
  )
  select jsonb_build_object('kind', 'usage', 'product', of_product, 'anchor', pg_temp.iso(min(anchor)), 'month', of_month,
    'item', (array_agg(item order by place desc))[1], 'measure', case of_product when 'cloud_traffic' then 'flow' else 'stock' end,
    'parts', jsonb_agg(jsonb_build_object('from', seconds_from, 'to', seconds_to,
      'used', case of_product when 'cloud_traffic' then used
        else pg_temp.half_even(used * (seconds_to - seconds_from), extract(epoch from finishes - begins)) end,
      'quota', quotas -> of_product, 'rate', rates -> of_product) order by place))
  from parts join life_plans using (level) having count(*) > 0
$$;
create function pg_temp.cap_at(before timestamptz) returns numeric language sql as $$
  select (select minor from caps where caps.at < before order by caps.at desc, ctid desc limit 1)
$$;

-- The bill of a plan's usage in the period that ends, and of what is known of the one before since that was billed.
create function pg_temp.bill_usage(bill text, of_sub text, zone text, now timestamptz) returns numeric language plpgsql as $$
declare
  of_month integer := (select used from subs where sub = of_sub);
  of_anchor timestamptz := (select anchor from subs where sub = of_sub);
  before_starts timestamptz := pg_temp.month_at(of_anchor, of_month - 1, zone);
  cap_before numeric := pg_temp.cap_at(pg_temp.month_at(of_anchor, of_month, zone));
  basket jsonb := '[]';
  of_product text;
  item jsonb;
  charged numeric;
  cost numeric;
begin
  foreach of_product in array array['cloud_storage', 'cloud_traffic'] loop
    item := pg_temp.usage_item(of_sub, of_month, of_product, zone, now);
    if item is not null then basket := basket || item; end if;
  end loop;
  if of_month > 0 then
    if cap_before is not null then
      cap_before := greatest(0, cap_before - (select coalesce(sum(amount), 0) from lines join items using (item)
        where sub = of_sub and product <> 'Instance' and starts = before_starts));
    end if;
    foreach of_product in array array['cloud_storage', 'cloud_traffic'] loop
      item := pg_temp.usage_item(of_sub, of_month - 1, of_product, zone, now);
      continue when item is null;
      charged := (select coalesce(sum(amount), 0) from lines join items using (item)
        where sub = of_sub and product = of_product and starts = before_starts);
      item := item || jsonb_build_object('charged', charged, 'cap', cap_before);
      select sum((line ->> 0)::numeric) into cost from pg_temp.priced(jsonb_build_object('currency', 'usd', 'zone', zone, 'at', pg_temp.iso(now),
        'items', jsonb_build_array(item), 'coupons', '[]'::jsonb, 'usageCap', null, 'promo', 0, 'cash', 0, 'mayRoll', false)) as p,
        jsonb_array_elements(p.items) as line;
      continue when cost = 0;
      cap_before := cap_before - cost;
      basket := basket || item;
    end loop;
  end if;
  cost := 0;
  if basket <> '[]' then
    cost := pg_temp.issue(bill, 'usage', zone, now, basket, pg_temp.cap_at(pg_temp.month_at(of_anchor, of_month + 1, zone)), null);
  end if;
  -- The last one of a plan that is over.
  update subs set used = case when exists (select from items where items.sub = of_sub and state in ('active', 'unpaid')) then of_month + 1 end where sub = of_sub;
  return cost;
end
$$;

-- What falls due by itself first: (when, name, sub).
create function pg_temp.next_due(zone text) returns table (due timestamptz, name text, of_sub text) language sql as $$
  select pg_temp.month_at(anchor, renewed + 1, zone), 'renewal', sub from subs
  where exists (select from items where items.sub = subs.sub and state = 'active')
  union all
  select ahead, 'renewal', sub from subs where ahead is not null and exists (select from items where items.sub = subs.sub and state = 'active')
  union all
  select pg_temp.month_at(anchor, used + 1, zone), 'usage', sub from subs where used is not null
  order by 1, 2, 3 limit 1
$$;
