-- What a life costs, worked out a second time: from what people, banks and meters did, in the order of `life_facts`,
-- and with PostgreSQL's own months and numerics. It decides by itself what each bill is for and complains of one that
-- should have come and did not. Of `pg_temp.priced` comes what a basket costs (pricing-oracle.sql).
create temp table life_facts (seq integer primary key, at timestamptz not null, happened jsonb not null);
create temp table life_plans (level integer primary key, quotas jsonb not null, rates jsonb not null);
-- Of each: what it has come to.
create temp table subs (sub text primary key, kind text, anchor timestamptz, renewed integer, used integer, pending integer, ahead timestamptz);
create temp table items (item text primary key, sub text, price numeric, level integer, state text, ordered timestamptz, began timestamptz, ended timestamptz);
create temp table bills (invoice text primary key, kind text, state text, at timestamptz, total numeric, paid_by text);
create temp table lines (invoice text, line integer, item text, product text, starts timestamptz, ends timestamptz, month integer,
  instead numeric, amount numeric, discount numeric, credited boolean not null default false, off numeric not null default 0);
create temp table bill_coupons (invoice text, code text);
create temp table coupons (code text primary key, terms jsonb, redeemed timestamptz, ends_at timestamptz);
create temp table pays (payment text primary key, invoice text, state text, promo numeric, balance numeric, card numeric, collected numeric, rolled numeric, asked boolean);
create temp table grants (id text primary key, minor numeric, left_minor numeric, expires timestamptz, given timestamptz);
create temp table uses (payment text, id text, minor numeric);
create temp table notes (seq integer, invoice text, cash numeric, promo numeric, owed numeric, lapsed numeric);
create temp table flows (at timestamptz, product text, micros numeric, known timestamptz);
create temp table caps (at timestamptz, minor numeric);
create temp table moved (seq integer, account text, minor numeric);
create temp table life_cash (seq integer, minor numeric);

create function pg_temp.month_at(anchor timestamptz, months integer, zone text) returns timestamptz language sql immutable as $$
  select (anchor at time zone 'UTC' + ahead + months * interval '1 month' - ahead) at time zone 'UTC'
  from (select case zone when 'UTC+8' then interval '8 hours' else interval '0' end as ahead) as of_zone
$$;
create function pg_temp.month_of(anchor timestamptz, at timestamptz, zone text) returns integer language sql immutable as $$
  select max(k) from generate_series(0, 60) as k where pg_temp.month_at(anchor, k, zone) <= at
$$;
create function pg_temp.day_of(at timestamptz, zone text) returns date language sql immutable as $$
  select ((at at time zone 'UTC') + case zone when 'UTC+8' then interval '8 hours' else interval '0' end)::date
$$;
create function pg_temp.iso(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
-- Moves between two accounts; nothing for nothing.
create function pg_temp.book(seq integer, debit text, credit text, minor numeric) returns void language sql as $$
  insert into moved select seq, account, minor * sign from (values (debit, 1), (credit, -1)) as sides (account, sign) where minor <> 0
$$;
create function pg_temp.cash() returns numeric language sql as $$ select coalesce(sum(minor), 0) from moved where account = 'cash' $$;

-- Coupons that may be used: of `once` those that no living bill uses. `kept`: of a bill that takes another's place.
create function pg_temp.usable(kept text) returns jsonb language sql as $$
  select coalesce(jsonb_agg(terms || jsonb_build_object('code', code, 'endsAt', case when kept is null then pg_temp.iso(ends_at) end)
    order by redeemed, code), '[]')
  from coupons where case when kept is not null then code = kept else terms ->> 'duration' <> 'once' or not exists (
    select from bill_coupons join bills using (invoice) where bill_coupons.code = coupons.code and state <> 'void') end
$$;

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

create function pg_temp.allocated(payment_promo numeric, of_bill text) returns table (line integer, promo numeric) language sql as $$
  with nets as (select lines.line, amount - discount - off as net from lines where invoice = of_bill),
  running as (select nets.line, sum(net) over (order by nets.line) as until, sum(net) over () as whole from nets),
  shares as (select running.line, case when whole = 0 then 0 else pg_temp.half_even(payment_promo * until, whole) end as share from running)
  select shares.line, share - coalesce(lag(share) over (order by shares.line), 0) from shares
$$;

create function pg_temp.give_back(of_payment text, amount numeric) returns void language plpgsql as $$
declare
  one record;
  back numeric;
begin
  for one in select uses.id, uses.minor from uses join grants using (id) where payment = of_payment
    order by expires desc nulls first, grants.given desc, uses.id desc loop
    back := least(one.minor, amount);
    amount := amount - back;
    update grants set left_minor = left_minor + back where id = one.id;
    update uses set minor = minor - back where payment = of_payment and id = one.id;
  end loop;
end
$$;

-- What ends gives back what is left of its time, to the second.
create function pg_temp.destroy(seq integer, now timestamptz, ending jsonb, has_run boolean, only_bill text default null) returns void language plpgsql as $$
declare
  bill record;
  sums record;
begin
  for bill in select bills.* from bills where state in ('paid', 'open') and invoice = coalesce(only_bill, invoice) and exists (select from lines where lines.invoice = bills.invoice and ending ? item) loop
    with own as (
      select lines.line, lines.item, amount - discount as net, coalesce(shared.promo, 0) as promo,
        case when has_run then pg_temp.half_even((amount - discount) * greatest(0, least(extract(epoch from ends - starts), floor(extract(epoch from now - starts)))),
          extract(epoch from ends - starts)) else 0 end as kept
      from lines left join pg_temp.allocated((select pays.promo from pays where payment = bill.paid_by), bill.invoice) as shared on shared.line = lines.line
      where invoice = bill.invoice and ending ? item and not credited and product = 'Instance'
    ), split as (
      select own.*, case when has_run then greatest(0, promo - kept) else 0 end as lapsed from own
    ), given as (
      select split.*,
        case when bill.paid_by is null then 0 when has_run then net - kept - lapsed else net - promo end as to_cash,
        case when bill.paid_by is null then net - kept else 0 end as off_owed,
        case when bill.paid_by is null or has_run then 0 else promo end as to_promo from split
    ), marked as (
      update lines set credited = true, off = given.off_owed from given
      where lines.invoice = bill.invoice and lines.line = given.line and to_cash + off_owed + to_promo > 0
    )
    select coalesce(sum(to_cash), 0) as cash, coalesce(sum(to_promo), 0) as promo, coalesce(sum(off_owed), 0) as owed, coalesce(sum(case when bill.paid_by is null then 0 else lapsed end), 0) as lapsed
      into sums from given;
    continue when sums.cash + sums.promo + sums.owed = 0;
    insert into notes values (seq, bill.invoice, sums.cash, sums.promo, sums.owed, sums.lapsed);
    perform pg_temp.book(seq, 'earned', 'cash', sums.cash);
    perform pg_temp.book(seq, 'earned', 'promo', sums.promo);
    perform pg_temp.book(seq, 'earned', 'receivable', sums.owed);
    perform pg_temp.give_back(bill.paid_by, sums.promo);
  end loop;
  update items set state = 'ended', ended = now where ending ? item and state = 'active';
end
$$;

-- What is set aside for a payment, and asked of the card.
create function pg_temp.begin_payment(seq integer, now timestamptz, fact jsonb) returns void language plpgsql as $$
declare
  bill record;
  due numeric;
  cash numeric := pg_temp.cash();
  promo numeric := (select coalesce(sum(left_minor), 0) from grants where expires is null or expires > now);
  balance numeric;
  -- What no card is asked for yet.
  owed numeric := greatest(0, pg_temp.cash() - (select coalesce(sum(collected), 0) from pays where state = 'open' and asked));
  needed numeric;
  one record;
  may_roll boolean;
begin
  select * into bill from bills where invoice = fact ->> 'invoice';
  due := bill.total - (select coalesce(sum(notes.owed), 0) from notes where invoice = bill.invoice);
  may_roll := bill.kind in ('renewal', 'usage') or (fact ->> 'card')::boolean;
  promo := least(promo, due);
  balance := least(greatest(-cash, 0), due - promo);
  due := due - promo - balance;
  insert into pays select fact ->> 'payment', bill.invoice, 'open', promo, balance,
    case when due = 0 or rolls then 0 else due + owed end, case when due = 0 or rolls then 0 else owed end, case when rolls then due else 0 end, (fact ->> 'card')::boolean
  from (select may_roll and due > 0 and due + owed < 100 as rolls) as little;
  perform pg_temp.book(seq, 'cash', 'held:cash', balance);
  perform pg_temp.book(seq, 'promo', 'held:promo', promo);
  needed := promo;
  for one in select id, left_minor from grants where (expires is null or expires > now) and left_minor > 0 order by expires nulls last, given, id loop
    insert into uses values (fact ->> 'payment', one.id, least(one.left_minor, needed));
    update grants set left_minor = left_minor - least(one.left_minor, needed) where id = one.id;
    needed := needed - least(one.left_minor, needed);
  end loop;
end
$$;

create function pg_temp.settle(seq integer, now timestamptz, of_payment text) returns void language plpgsql as $$
declare
  pay record;
  bill record;
  off numeric;
  one record;
begin
  select * into pay from pays where payment = of_payment;
  select * into bill from bills where invoice = pay.invoice;
  off := (select coalesce(sum(owed), 0) from notes where invoice = pay.invoice);
  if bill.state = 'uncollectible' then perform pg_temp.book(seq, 'receivable', 'writeoff', bill.total - off); end if;
  perform pg_temp.book(seq, 'held:cash', 'receivable', pay.balance);
  perform pg_temp.book(seq, 'held:promo', 'receivable', pay.promo);
  perform pg_temp.book(seq, 'gateway:sandbox', 'receivable', pay.card - pay.collected);
  perform pg_temp.book(seq, 'gateway:sandbox', 'cash', pay.collected);
  perform pg_temp.book(seq, 'cash', 'receivable', pay.rolled);
  if pay.promo + pay.balance + pay.card - pay.collected + pay.rolled <> bill.total - off then
    raise '% pays % of %', of_payment, pay.promo + pay.balance + pay.card - pay.collected + pay.rolled, bill.total - off;
  end if;
  update pays set state = 'succeeded' where payment = of_payment;
  update bills set state = 'paid', paid_by = of_payment where invoice = bill.invoice;
  for one in select items.* from items where state = 'unpaid' and item in (select item from lines where invoice = bill.invoice) loop
    perform pg_temp.begin_item(one.item, now);
  end loop;
end
$$;

-- Paid for the first time; a plan takes the place of the one before.
create function pg_temp.begin_item(of_item text, now timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  select items.*, subs.anchor, subs.used into one from items join subs using (sub) where item = of_item;
  if one.level is not null then
    update items set state = 'ended', ended = now where sub = one.sub and state = 'active';
    update subs set pending = null where sub = one.sub;
  end if;
  update items set state = 'active', began = now where item = of_item;
end
$$;

create function pg_temp.live(zone text, until timestamptz) returns void language plpgsql as $$
declare
  one record;
  due record;
  fact jsonb;
  basket jsonb;
  cost numeric;
  old record;
begin
  for one in select * from life_facts order by seq loop
    fact := one.happened;
    -- What should have been billed before.
    loop
      select * into due from pg_temp.next_due(zone);
      exit when not found or due.due > one.at or due.due = one.at
        and (fact ->> 'do' <> 'issued' or fact ->> 'kind' not in ('renewal', 'usage') or due.name >= fact ->> 'kind');
      if due.name = 'renewal' then cost := pg_temp.renew(null, zone, due.due); else cost := pg_temp.bill_usage(null, due.of_sub, zone, due.due); end if;
      if cost > 0 then raise 'the % due at % never came', due.name, due.due; end if;
    end loop;
    case fact ->> 'do'
    when 'grant' then
      insert into grants values (fact ->> 'id', (fact ->> 'minor')::numeric, (fact ->> 'minor')::numeric, (fact ->> 'expires')::timestamptz, one.at);
      perform pg_temp.book(one.seq, 'promo_cost', 'promo', (fact ->> 'minor')::numeric);
    when 'credit' then perform pg_temp.book(one.seq, 'adjust', 'cash', (fact ->> 'minor')::numeric);
    when 'coupon' then
      insert into coupons values (fact ->> 'code', fact, one.at,
        case when fact ->> 'duration' = 'repeating' then pg_temp.month_at(one.at, (fact ->> 'months')::integer, zone) end);
    when 'use' then insert into flows values (one.at, fact ->> 'product', (fact ->> 'micros')::numeric, (fact ->> 'known')::timestamptz);
    when 'cap' then insert into caps values (one.at, (fact ->> 'minor')::numeric);
    when 'item' then
      insert into subs values (fact ->> 'sub', case when fact -> 'cluster' = 'null' then 'plan' else 'cluster' end, one.at, 0, null, null, null) on conflict do nothing;
      insert into items values (fact ->> 'id', fact ->> 'sub', (fact ->> 'price')::numeric, (fact ->> 'level')::integer, 'unpaid', one.at, null, null);
    when 'plan' then
      -- One that costs nothing more begins at once.
      for old in select item from items where state = 'unpaid' and level = (fact ->> 'level')::integer and not exists (select from lines where lines.item = items.item) loop
        perform pg_temp.begin_item(old.item, one.at);
      end loop;
      -- A higher one that is not paid yet leaves a lower one to come.
      update subs set pending = case when (fact ->> 'level')::integer < level then (fact ->> 'level')::integer end
      from items where items.sub = subs.sub and items.level is not null and items.state = 'active' and items.level >= (fact ->> 'level')::integer;
    when 'issued' then
      if fact ->> 'kind' = 'renewal' then
        if pg_temp.renew(fact ->> 'invoice', zone, one.at) = 0 then raise 'a renewal of nothing at %', one.at; end if;
      elsif fact ->> 'kind' = 'usage' then
        select * into due from pg_temp.next_due(zone);
        if due.name <> 'usage' or due.due <> one.at or pg_temp.bill_usage(fact ->> 'invoice', due.of_sub, zone, one.at) = 0 then raise 'no usage is due at %', one.at; end if;
      else
        -- One that takes another's place: paid late, its prices and its coupon kept.
        select bills.* into old from bills where exists (select from lines where lines.invoice = bills.invoice and item = fact -> 'items' ->> 0) order by at desc limit 1;
        if old.invoice is not null then
          update subs set anchor = one.at where sub in (select sub from items where fact -> 'items' ? item) and not exists (
            select from items where items.sub = subs.sub and state = 'active');
        end if;
        select jsonb_agg(pg_temp.prepaid(item, anchor, coalesce(month, pg_temp.month_of(anchor, one.at, zone)), price,
            case when level is null then 'instance' else 'plan' end,
            case when level is not null then coalesce((select instead from lines where invoice = old.invoice and lines.item = items.item limit 1),
              (select current.price from items as current where current.sub = items.sub and current.state = 'active')) end) order by place, month nulls first) into basket
        from jsonb_array_elements_text(fact -> 'items') with ordinality as of_bill (name, place)
          join items on item = name join subs using (sub)
          -- The second line of a plan: the period that was paid ahead.
          cross join lateral (select case when level is not null and place = 2 then renewed end as month) as ahead;
        cost := pg_temp.issue(fact ->> 'invoice', fact ->> 'kind', zone, one.at, basket, null,
          case when old.invoice is not null then coalesce((select code from bill_coupons where invoice = old.invoice), '') end);
        if (select total from bills where invoice = fact ->> 'invoice') > old.total then raise 'paid late, % is dearer', fact ->> 'invoice'; end if;
      end if;
      perform pg_temp.book(one.seq, 'receivable', 'earned', (select total from bills where invoice = fact ->> 'invoice'));
    when 'began' then perform pg_temp.begin_payment(one.seq, one.at, fact);
    when 'released' then
      update pays set state = 'over' where payment = fact ->> 'payment';
      perform pg_temp.book(one.seq, 'held:cash', 'cash', (select balance from pays where payment = fact ->> 'payment'));
      perform pg_temp.book(one.seq, 'held:promo', 'promo', (select promo from pays where payment = fact ->> 'payment'));
      perform pg_temp.give_back(fact ->> 'payment', (select promo from pays where payment = fact ->> 'payment'));
    when 'paid' then
      perform pg_temp.settle(one.seq, one.at, fact ->> 'payment');
      -- Usage is counted from where a plan begins.
      update subs set used = pg_temp.month_of(anchor, one.at, zone) where kind = 'plan' and used is null
        and exists (select from items where items.sub = subs.sub and state = 'active');
    when 'void' then
      perform pg_temp.book(one.seq, 'earned', 'receivable', (select total from bills where invoice = fact ->> 'invoice'));
      update bills set state = 'void' where invoice = fact ->> 'invoice';
      -- Of an order that another takes the place of, the items stay as they are.
      if not exists (select from life_facts where seq > one.seq and life_facts.at = one.at and life_facts.happened ->> 'do' = 'issued'
        and life_facts.happened -> 'items' ->> 0 in (select item from lines where invoice = fact ->> 'invoice')) then
        update items set state = 'canceled' where state = 'unpaid' and item in (select item from lines where invoice = fact ->> 'invoice');
      end if;
    when 'givenUp' then
      -- Clusters that stand on it end whole, and of a plan what it is charged for beyond that comes off.
      for old in select distinct subs.sub, kind from subs join items using (sub) join lines using (item) where invoice = fact ->> 'invoice' and state = 'active' loop
        select jsonb_agg(item) into basket from items where sub = old.sub and state = 'active';
        perform pg_temp.destroy(one.seq, one.at, basket, true, case old.kind when 'plan' then fact ->> 'invoice' end);
      end loop;
      perform pg_temp.book(one.seq, 'writeoff', 'receivable', (select total from bills where invoice = fact ->> 'invoice')
        - (select coalesce(sum(owed), 0) from notes where invoice = fact ->> 'invoice'));
      update bills set state = 'uncollectible' where invoice = fact ->> 'invoice';
    when 'destroyed' then perform pg_temp.destroy(one.seq, one.at, fact -> 'items', (fact ->> 'hasRun')::boolean);
    end case;
    insert into life_cash values (one.seq, pg_temp.cash());
  end loop;
  perform pg_temp.book(0, 'promo', 'promo_cost', (select coalesce(sum(left_minor), 0) from grants where expires <= until));
end
$$;
