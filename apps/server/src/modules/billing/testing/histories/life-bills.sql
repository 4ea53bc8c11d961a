-- What falls due in a life, and the bills of it: functions of life-oracle.sql.

-- Prices a basket and, where it costs something, writes it as a bill. `basket`: rows of (item, product, sub's anchor,
-- month …).
create function pg_temp.issue(bill text, bill_kind text, zone text, at timestamptz, basket jsonb, cap numeric, kept text, more jsonb default '[]') returns numeric
language plpgsql as $$
declare
  part jsonb;
  priced record;
  cost numeric := 0;
  total numeric := 0;
  of_coupon text;
  placed integer := 0;
begin
  create temp table issued on commit drop as select * from lines limit 0;
  -- What corrects earlier periods comes after, each period with its own coupons, within what the cap leaves.
  for part in select jsonb_build_object('items', basket, 'coupons', pg_temp.usable(kept, zone)) union all select each from jsonb_array_elements(more) as each loop
    continue when part -> 'items' = '[]';
    select * into priced from pg_temp.priced(jsonb_build_object('currency', 'usd', 'zone', zone, 'at', pg_temp.iso(at), 'items', part -> 'items',
      'coupons', part -> 'coupons', 'usageCap', cap - cost, 'promo', 0, 'cash', 0, 'mayRoll', false));
    insert into issued
    select bill, placed + row_number() over (order by place), item ->> 'item', item ->> 'product',
      case when item ->> 'kind' = 'usage' then begins else greatest(begins, least(finishes, at)) end, finishes,
      (item ->> 'month')::integer, (item ->> 'instead')::numeric, (cost_of ->> 0)::numeric, (cost_of ->> 1)::numeric, false, 0, 0,
      case when (cost_of ->> 1)::numeric > 0 then priced.code end, 0, 0
    from (
      select place, item, priced.items -> (place - 1)::integer as cost_of,
        pg_temp.month_at((item ->> 'anchor')::timestamptz, (item ->> 'month')::integer, zone) as begins,
        pg_temp.month_at((item ->> 'anchor')::timestamptz, (item ->> 'month')::integer + 1, zone) as finishes
      from jsonb_array_elements(part -> 'items') with ordinality as of_basket (item, place)
    ) as of_bill where item ->> 'kind' <> 'usage' or (cost_of ->> 0)::numeric > 0;
    placed := (select count(*) from issued);
    cost := (select coalesce(sum(amount), 0) from issued);
    total := total + priced.total;
    if of_coupon is null and priced.code <> '' then of_coupon := priced.code; end if;
  end loop;
  if cost > 0 or bill_kind not in ('renewal', 'usage') then
    if bill is null then
      cost := 1;
    else
      insert into bills values (bill, bill_kind, 'open', at, total, null);
      if of_coupon is not null then insert into bill_coupons values (bill, of_coupon); end if;
      insert into lines select * from issued;
    end if;
  end if;
  drop table issued;
  return cost;
end
$$;

create function pg_temp.prepaid(item text, anchor timestamptz, month integer, price numeric, kind text, instead numeric) returns jsonb language sql stable as $$
  select jsonb_build_object('item', item, 'sub', (select sub from items where items.item = prepaid.item), 'product', 'Instance', 'anchor', pg_temp.iso(anchor), 'month', month, 'price', price, 'kind', kind, 'instead', instead)
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
-- `until`: of what runs, only what was used by then.
create function pg_temp.usage_item(of_sub text, of_month integer, of_product text, zone text, now timestamptz, until timestamptz default null) returns jsonb language sql as $$
  with period as (
    select anchor, pg_temp.month_at(anchor, of_month, zone) as begins, pg_temp.month_at(anchor, of_month + 1, zone) as finishes from subs where sub = of_sub
  ), spans as (
    select item, level, begins, finishes, anchor, greatest(began, begins) as starts, least(coalesce(ended, finishes), finishes) as ends,
      row_number() over (order by began, ordered) as place
    from items, period where items.sub = of_sub and began < finishes and (ended is null or ended > begins)
  ), parts as (
    select spans.*, extract(epoch from starts - begins) as seconds_from, extract(epoch from ends - begins) as seconds_to,
      (select coalesce(sum(micros), 0) from flows where product = of_product and flows.at >= starts and flows.at < least(ends, until) and known <= now) as used
    from spans where starts < least(ends, until)
  )
  select jsonb_build_object('kind', 'usage', 'sub', of_sub, 'product', of_product, 'anchor', pg_temp.iso(min(anchor)), 'month', of_month,
    'item', (array_agg(item order by place desc))[1], 'measure', case of_product when 'cloud_traffic' then 'flow' else 'stock' end,
    'parts', jsonb_agg(jsonb_build_object('from', seconds_from, 'to', seconds_to,
      'used', case of_product when 'cloud_traffic' then used
        else pg_temp.half_even(used * (least(seconds_to, extract(epoch from until - begins)) - seconds_from), extract(epoch from finishes - begins)) end,
      'quota', quotas -> of_product, 'rate', rates -> of_product) order by place))
  from parts join life_plans using (level) having count(*) > 0
$$;
create function pg_temp.cap_at(before timestamptz) returns numeric language sql as $$
  select (select minor from caps where caps.at < before order by caps.at desc, ctid desc limit 1)
$$;

-- What usage may come to now: what balance and promotional credit cover, and one threshold with a card whose newest
-- charge was not declined, less bills of usage that are not paid. Null: whatever it comes to, as the card has paid.
create function pg_temp.usage_means(now timestamptz) returns numeric language plpgsql as $$
declare
  on_file text := (select method from life_card);
  newest text := (select state from pays where method = on_file and asked and pays.card > 0 and state <> 'open' order by ended desc limit 1);
  failed boolean := exists (select from bills where kind = 'usage' and state in ('open', 'uncollectible'));
  unpaid numeric := (select coalesce(sum(total - coalesce((select sum(owed) from notes where notes.invoice = bills.invoice), 0)
    - coalesce((select sum(promo + balance) from pays where pays.invoice = bills.invoice and pays.state = 'open'), 0)), 0)
    from bills where kind = 'usage' and state = 'open');
begin
  if on_file is not null and newest = 'succeeded' and not failed then return null; end if;
  return greatest(0, (select coalesce(sum(left_minor), 0) from grants where expires is null or expires > now) - pg_temp.cash()
    + case when on_file is not null and coalesce(newest, '') <> 'over' then 2000 else 0 end - unpaid);
end
$$;

-- What a period's usage of a product costs by its readings alone; null where there is no plan.
create function pg_temp.usage_price(of_sub text, of_month integer, of_product text, zone text, now timestamptz, until timestamptz default null) returns numeric language sql as $$
  select ((pg_temp.priced(jsonb_build_object('currency', 'usd', 'zone', zone, 'at', pg_temp.iso(now), 'items', jsonb_build_array(item),
    'coupons', '[]'::jsonb, 'usageCap', null, 'promo', 0, 'cash', 0, 'mayRoll', false))).items #>> '{0,0}')::numeric
  from pg_temp.usage_item(of_sub, of_month, of_product, zone, now, until) as item where item is not null
$$;
create function pg_temp.usage_gross(of_sub text, of_month integer, zone text, now timestamptz) returns numeric language sql as $$
  select coalesce(sum(pg_temp.usage_price(of_sub, of_month, product, zone, now)), 0) from unnest(array['cloud_storage', 'cloud_traffic']) as product
$$;
-- What was billed of it, less what was given back.
create function pg_temp.usage_billed(of_sub text, of_month integer, of_product text) returns numeric language sql as $$
  select coalesce(sum(amount - less), 0) from lines join items using (item) where sub = of_sub and month = of_month and product = of_product
$$;
create function pg_temp.usage_billed(of_sub text, of_month integer) returns numeric language sql as $$
  select coalesce(sum(pg_temp.usage_billed(of_sub, of_month, product)), 0) from unnest(array['cloud_storage', 'cloud_traffic']) as product
$$;
-- What of the usage that is not billed yet is covered now: it stays owed, whatever the means go for.
create function pg_temp.keep(now timestamptz, zone text) returns void language plpgsql as $$
declare
  means numeric := pg_temp.usage_means(now);
  left_over numeric := means;
  waiting numeric := 0;
  running integer;
  unbilled numeric;
  billed numeric;
  cost numeric;
  one record;
begin
  for one in select sub, anchor, used, exists (select from items where items.sub = subs.sub and state = 'active') as lives from subs
    where kind = 'plan' and used is not null and pg_temp.month_at(anchor, used, zone) < now order by sub loop
    continue when one.lives and now < pg_temp.month_at(one.anchor, one.used + 1, zone);
    select coalesce(sum(greatest(0, coalesce(pg_temp.usage_price(one.sub, one.used, product, zone, now, now), 0) - pg_temp.usage_billed(one.sub, one.used, product))), 0)
      into unbilled from unnest(array['cloud_storage', 'cloud_traffic']) as product;
    cost := pg_temp.usage_billed(one.sub, one.used) + least(unbilled, left_over);
    left_over := greatest(0, left_over - unbilled);
    waiting := waiting + unbilled;
    if cost > 0 then perform pg_temp.cover(one.sub, one.used, cost, null); end if;
  end loop;
  for one in select sub, anchor from subs where kind = 'plan' and used is not null and exists (select from items where items.sub = subs.sub and state = 'active') loop
    running := pg_temp.month_of(one.anchor, now, zone);
    billed := pg_temp.usage_billed(one.sub, running);
    select coalesce(sum(pg_temp.usage_price(one.sub, running, product, zone, now, now)), 0) into cost from unnest(array['cloud_storage', 'cloud_traffic']) as product;
    cost := least(cost, pg_temp.cap_at(now + interval '1 ms'), pg_temp.most_of(one.sub, running, means - least(waiting, means)));
    if cost > 0 then perform pg_temp.cover(one.sub, running, cost, null); end if;
  end loop;
end
$$;
create function pg_temp.cover(of_sub text, of_month integer, of_covered numeric, of_priced numeric) returns void language sql as $$
  insert into credits values (of_sub, of_month, of_covered, of_priced)
  on conflict (sub, month) do update set covered = greatest(credits.covered, excluded.covered), priced = greatest(credits.priced, excluded.priced)
$$;
-- What a month's usage may come to by its means; null: whatever it does. What was covered once stays so.
create function pg_temp.most_of(of_sub text, of_month integer, means numeric) returns numeric language sql as $$
  select case when means is not null then greatest((select covered from credits where sub = of_sub and month = of_month),
    pg_temp.usage_billed(of_sub, of_month) + means) end
$$;

-- The months that are corrected with that one, the newest first: those that ended in the last 90 days.
create function pg_temp.corrected(of_sub text, of_month integer, zone text, now timestamptz) returns setof integer language sql as $$
  select month from subs, generate_series(of_month, 0, -1) as month
  where sub = of_sub and pg_temp.month_at(anchor, month + 1, zone) >= now - interval '90 days' order by month desc
$$;

-- Gives back what was billed above what the meters have now; false where that is nothing.
create function pg_temp.give_less(seq integer, of_sub text, last_month integer, zone text, now timestamptz) returns boolean language plpgsql as $$
declare
  of_month integer;
  of_product text;
  above numeric;
  one record;
  bill record;
  piece numeric;
  percent numeric;
  carried numeric;
  wanted numeric;
  net numeric;
  due numeric;
  promo numeric;
  owed numeric;
begin
  create temp table given (invoice text, line integer, month integer, part numeric, back numeric) on commit drop;
  for of_month in select * from pg_temp.corrected(of_sub, last_month, zone, now) loop
    foreach of_product in array array['cloud_storage', 'cloud_traffic'] loop
      above := pg_temp.usage_billed(of_sub, of_month, of_product) - coalesce(pg_temp.usage_price(of_sub, of_month, of_product, zone, now), 0);
      for one in select lines.* from lines join bills using (invoice) join items using (item) where sub = of_sub and lines.month = of_month
        and product = of_product order by bills.nr desc, line desc loop
        piece := least(one.amount - one.less, above);
        continue when piece <= 0;
        above := above - piece;
        insert into given values (one.invoice, one.line, of_month, piece, 0);
      end loop;
    end loop;
  end loop;
  if not exists (select from given) then drop table given; return false; end if;
  -- Of each bill's lines of a month, what the coupon takes of what stays.
  for bill in select distinct invoice, month from given loop
    select (terms ->> 'percentOff')::numeric into percent from lines join coupons using (code) where invoice = bill.invoice and month = bill.month and discount > 0 limit 1;
    continue when not found;
    select sum(discount - lines.back) as discount, sum(amount - less - coalesce(given.part, 0)) as stays, sum(coalesce(given.part, 0)) as part into one
    from lines left join given using (invoice, line) where invoice = bill.invoice and lines.month = bill.month;
    above := one.discount - least(one.discount, case when percent is null then one.stays else pg_temp.half_even(one.stays * percent, 100) end);
    carried := 0;
    for one in select line, amount - less as amount, discount - lines.back as discount, coalesce(given.part, 0) as part,
        pg_temp.half_even(above * sum(coalesce(given.part, 0)) over (order by line), one.part)
          - pg_temp.half_even(above * (sum(coalesce(given.part, 0)) over (order by line) - coalesce(given.part, 0)), one.part) as share
      from lines left join given using (invoice, line) where invoice = bill.invoice and lines.month = bill.month order by line loop
      wanted := one.share + carried;
      piece := least(greatest(wanted, one.discount - (one.amount - one.part), 0), one.discount, one.part);
      carried := wanted - piece;
      update given set back = piece where invoice = bill.invoice and line = one.line;
    end loop;
  end loop;
  for bill in select bills.* from bills where invoice in (select invoice from given) order by invoice loop
    net := (select sum(given.part - given.back) from given where invoice = bill.invoice);
    due := case when bill.state = 'paid' then 0 else bill.total - (select coalesce(sum(notes.owed), 0) from notes where invoice = bill.invoice) end;
    owed := least(net, due);
    -- Promotional credit counts as used first.
    promo := least(net - owed, greatest(0, (select coalesce(sum(minor), 0) from uses where payment = bill.paid_by)
      - (bill.total - (select coalesce(sum(notes.cash + notes.promo + notes.owed), 0) from notes where invoice = bill.invoice) - due - (net - owed))));
    insert into notes select seq, bill.invoice, net - owed - promo, promo, owed where net > 0;
    if bill.state = 'uncollectible' then perform pg_temp.book(seq, 'receivable', 'writeoff', owed); end if;
    perform pg_temp.book(seq, 'earned', 'cash', net - owed - promo);
    perform pg_temp.book(seq, 'earned', 'promo', promo);
    perform pg_temp.book(seq, 'earned', 'receivable', owed);
    perform pg_temp.give_back(bill.paid_by, promo);
  end loop;
  update lines set less = less + given.part, back = lines.back + given.back from given where lines.invoice = given.invoice and lines.line = given.line;
  drop table given;
  return true;
end
$$;

-- The coupons that a correction of a month has: that of its newest bill, or of one that was not billed those that were
-- there when it ended and are taken in each period.
create function pg_temp.coupons_of(of_sub text, of_month integer, zone text) returns jsonb language plpgsql as $$
declare
  of_anchor timestamptz := (select anchor from subs where sub = of_sub);
  ends timestamptz := pg_temp.month_at(of_anchor, of_month + 1, zone);
  own text := (select code from lines join bills using (invoice) join items using (item)
    where sub = of_sub and month = of_month and product <> 'Instance' and code is not null order by bills.nr desc, line desc limit 1);
begin
  if own is not null then
    return (select jsonb_build_array(jsonb_build_object('code', own, 'percentOff', terms -> 'percentOff', 'amountOff', terms -> 'amountOff', 'appliesTo', '["usage"]'::jsonb,
      'boundTo', of_sub, 'takes', jsonb_build_array(jsonb_build_object('sub', of_sub, 'starts', pg_temp.iso(pg_temp.month_at(of_anchor, of_month, zone)), 'ends', pg_temp.iso(ends),
        'minor', (select coalesce(sum(minor), 0) from pg_temp.uses(own, zone) as one where terms ->> 'duration' = 'once' or one.sub = of_sub and one.month = of_month)))))
      from coupons where code = own);
  end if;
  if exists (select from lines join items using (item) where sub = of_sub and month = of_month and product <> 'Instance') then return '[]'; end if;
  return (select coalesce(jsonb_agg(coupon order by place), '[]') from jsonb_array_elements(pg_temp.usable(null, zone)) with ordinality as of_account (coupon, place)
    where (coupon ->> 'redeemed')::timestamptz < ends and coupon ->> 'duration' <> 'once' and coupon ->> 'months' is null);
end
$$;

-- The bill of a plan's usage in the period that ends, and of what is known of those before since they were billed. With
-- `last_month` only of that one, whose last day to be corrected it is.
create function pg_temp.bill_usage(bill text, of_sub text, last_month integer, zone text, now timestamptz) returns numeric language plpgsql as $$
declare
  of_month integer := coalesce(last_month + 1, (select used from subs where sub = of_sub));
  of_anchor timestamptz := (select anchor from subs where sub = of_sub);
  basket jsonb := '[]';
  more jsonb := '[]';
  above jsonb;
  of_product text;
  item jsonb;
  billed numeric;
  price numeric;
  part numeric;
  left_over numeric;
  cost numeric;
  means numeric := pg_temp.usage_means(now);
  is_own boolean;
  before integer;
  until timestamptz;
begin
  foreach of_product in array array['cloud_storage', 'cloud_traffic'] loop
    item := pg_temp.usage_item(of_sub, of_month, of_product, zone, now);
    if item is not null and last_month is null then basket := basket || item; end if;
  end loop;
  is_own := basket <> '[]';
  for before in select * from pg_temp.corrected(of_sub, of_month - 1, zone, now) loop
    -- What was not covered then is charged to nobody, beside what came since.
    left_over := greatest(0, least(pg_temp.cap_at(pg_temp.month_at(of_anchor, before + 1, zone)),
      (select covered + greatest(0, pg_temp.usage_gross(of_sub, before, zone, now) - priced) from credits where sub = of_sub and month = before))
      - pg_temp.usage_billed(of_sub, before));
    above := '[]';
    foreach of_product in array array['cloud_storage', 'cloud_traffic'] loop
      price := pg_temp.usage_price(of_sub, before, of_product, zone, now);
      billed := pg_temp.usage_billed(of_sub, before, of_product);
      if billed > coalesce(price, 0) then raise 'what is too much of % was not given back at %', of_product, now; end if;
      part := least(price - billed, left_over);
      continue when part is null or part <= 0;
      above := above || (pg_temp.usage_item(of_sub, before, of_product, zone, now) || jsonb_build_object('charged', billed, 'cap', left_over));
      left_over := left_over - part;
    end loop;
    if above <> '[]' then
      more := more || jsonb_build_object('items', above, 'coupons', pg_temp.coupons_of(of_sub, before, zone), 'month', before);
    end if;
  end loop;
  cost := 0;
  if basket <> '[]' or more <> '[]' then
    before := case when last_month is null then of_month else pg_temp.month_of(of_anchor, now, zone) end;
    left_over := least(pg_temp.cap_at(case when last_month is null then pg_temp.month_at(of_anchor, of_month + 1, zone)
      else now + interval '1 ms' end), pg_temp.most_of(of_sub, before, means)) - pg_temp.usage_billed(of_sub, before);
    cost := pg_temp.issue(bill, 'usage', zone, now, basket, case when left_over is not null then greatest(0, left_over) end, null, more);
  end if;
  for before in select (one ->> 'month')::integer from jsonb_array_elements(more) as one loop
    perform pg_temp.cover(of_sub, before, pg_temp.usage_billed(of_sub, before), pg_temp.usage_gross(of_sub, before, zone, now));
  end loop;
  if is_own then
    perform pg_temp.cover(of_sub, of_month, pg_temp.usage_billed(of_sub, of_month), pg_temp.usage_gross(of_sub, of_month, zone, now));
  end if;
  if last_month is not null then
    delete from last_corrections where sub = of_sub and month = last_month;
    return cost;
  end if;
  until := pg_temp.corrected_until(of_sub, zone);
  if until is null then insert into last_corrections values (of_sub, of_month, now + interval '90 days'); end if;
  update subs set used = case when until is null or pg_temp.month_at(of_anchor, of_month + 1, zone) < until then of_month + 1 end where sub = of_sub;
  return cost;
end
$$;

-- Of a plan that is over: until when its last period is corrected.
create function pg_temp.corrected_until(of_sub text, zone text) returns timestamptz language sql as $$
  select pg_temp.month_at(anchor, pg_temp.month_of(anchor, max(ended) - interval '1 ms', zone) + 1, zone) + interval '90 days'
  from subs join items using (sub) where sub = of_sub group by anchor
  having not bool_or(state in ('active', 'unpaid')) and max(ended) is not null
$$;

-- What falls due by itself first: (when, name, sub), and of a last correction the month.
create function pg_temp.next_due(zone text) returns table (due timestamptz, name text, of_sub text, of_month integer) language sql as $$
  select pg_temp.month_at(anchor, renewed + 1, zone), 'renewal', sub, null::integer from subs
  where exists (select from items where items.sub = subs.sub and state = 'active')
  union all
  select ahead, 'renewal', sub, null from subs where ahead is not null and exists (select from items where items.sub = subs.sub and state = 'active')
  union all
  select least(pg_temp.month_at(anchor, used + 1, zone), pg_temp.corrected_until(sub, zone)), 'usage', sub, null from subs where used is not null
  union all
  select at, 'usage.correction', sub, month from last_corrections
  order by 1, 2, 3 limit 1
$$;
