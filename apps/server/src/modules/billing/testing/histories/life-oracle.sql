-- What a life costs, worked out a second time: from what people, banks and meters did, in the order of `life_facts`,
-- and with PostgreSQL's own months and numerics. It decides by itself what each bill is for and complains of one that
-- should have come and did not. Of `pg_temp.priced` comes what a basket costs (pricing-oracle.sql).
create temp table life_facts (seq integer primary key, at timestamptz not null, happened jsonb not null);
create temp table life_plans (level integer primary key, quotas jsonb not null, rates jsonb not null);
-- Of each: what it has come to.
create temp table subs (sub text primary key, kind text, anchor timestamptz, renewed integer, used integer, pending integer, ahead timestamptz);
create temp table items (item text primary key, sub text, price numeric, level integer, state text, ordered timestamptz, began timestamptz, ended timestamptz, is_stopped boolean not null default false);
-- When the machines of a subscription were stopped; no end while they are.
create temp table stops (sub text, starts timestamptz, ends timestamptz);
create temp table bills (invoice text primary key, kind text, state text, at timestamptz, total numeric, paid_by text, nr serial);
create temp table lines (invoice text, line integer, item text, product text, starts timestamptz, ends timestamptz, month integer,
  instead numeric, amount numeric, discount numeric, credited boolean not null default false, off numeric not null default 0, back numeric not null default 0,
  code text, less numeric not null default 0, given numeric not null default 0);
create temp table bill_coupons (invoice text, code text);
create temp table coupons (code text primary key, terms jsonb, redeemed timestamptz);
create temp table pays (payment text primary key, invoice text, state text, promo numeric, balance numeric, card numeric, collected numeric, rolled numeric, asked boolean, method text, ended integer);
create temp table life_card (method text);
-- Of a plan's period: what its usage was charged, and what it came to by its readings then.
create temp table credits (sub text, month integer, covered numeric, priced numeric, primary key (sub, month));
-- When a period's usage is corrected for the last time, with no bill of the next ones.
create temp table last_corrections (sub text, month integer, at timestamptz);
create temp table grants (id text primary key, minor numeric, left_minor numeric, expires timestamptz, given timestamptz, is_over boolean not null default false);
create temp table uses (payment text, id text, minor numeric);
create temp table notes (seq integer, invoice text, cash numeric, promo numeric, owed numeric);
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

-- What a coupon took, the first first; what was given back of it is not taken.
create function pg_temp.uses(of_code text, zone text) returns table (nr bigint, sub text, month integer, starts timestamptz, ends timestamptz, minor numeric) language sql as $$
  select row_number() over (order by bills.nr, line), subs.sub, month, pg_temp.month_at(anchor, month, zone), pg_temp.month_at(anchor, month + 1, zone), discount - back
  from bills join lines using (invoice) join items using (item) join subs using (sub)
  where code = of_code and bills.state <> 'void' and discount > back
$$;

-- Coupons that may be used: of `once` those that no living bill uses. `kept`: of a bill that takes another's place.
create function pg_temp.usable(kept text, zone text) returns jsonb language sql as $$
  select coalesce(jsonb_agg(terms || jsonb_build_object('code', code, 'redeemed', pg_temp.iso(redeemed),
      'months', case when first.sub is null and terms ->> 'duration' = 'repeating' then (terms ->> 'months')::integer end,
      'isOnce', kept is null and terms ->> 'duration' = 'once',
      -- As many periods as it says, from the first that it reduced.
      'endsAt', case when kept is null and terms ->> 'duration' = 'repeating' then pg_temp.iso((
        select pg_temp.month_at(anchor, first.month + (terms ->> 'months')::integer, zone) from subs where subs.sub = first.sub)) end,
      'begins', case when kept is null and terms ->> 'duration' = 'repeating' and first.sub is not null
        then jsonb_build_object('sub', first.sub, 'from', pg_temp.iso(first.starts)) end,
      'boundTo', (select sub from pg_temp.uses(code, zone) as last where last.nr = (select max(nr) from pg_temp.uses(code, zone))
        and exists (select from items where items.sub = last.sub and state in ('active', 'unpaid'))),
      'takes', (select coalesce(jsonb_agg(jsonb_build_object('sub', sub, 'starts', pg_temp.iso(starts), 'ends', pg_temp.iso(ends), 'minor', minor)), '[]') from pg_temp.uses(code, zone)))
    order by redeemed, code), '[]')
  from coupons left join lateral (select * from pg_temp.uses(code, zone) where nr = 1) as first on true
  where case when kept is not null then code = kept else terms ->> 'duration' <> 'once' or first.sub is null end
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
        and (fact ->> 'do' not in ('issued', 'corrected') or fact ->> 'kind' not in ('renewal', 'usage')
          or due.name >= coalesce(fact ->> 'kind', 'usage'));
      if due.name = 'renewal' then cost := pg_temp.renew(null, zone, due.due); else cost := pg_temp.bill_usage(null, due.of_sub, due.of_month, zone, due.due); end if;
      if cost > 0 then raise 'the % due at % never came', due.name, due.due; end if;
    end loop;
    case fact ->> 'do'
    when 'grant' then
      insert into grants values (fact ->> 'id', (fact ->> 'minor')::numeric, (fact ->> 'minor')::numeric, (fact ->> 'expires')::timestamptz, one.at);
      perform pg_temp.book(one.seq, 'promo_cost', 'promo', (fact ->> 'minor')::numeric);
    when 'expired' then
      -- Usage that it covered until then stays owed, though nothing that is left of it pays for that.
      perform pg_temp.keep((select expires - interval '1 ms' from grants where id = fact ->> 'grant'), zone);
      update grants set is_over = true where id = fact ->> 'grant';
    when 'credit' then perform pg_temp.book(one.seq, 'adjust', 'cash', (fact ->> 'minor')::numeric);
    when 'coupon' then
      insert into coupons values (fact ->> 'code', fact, one.at);
    when 'use' then insert into flows values (one.at, fact ->> 'product', (fact ->> 'micros')::numeric, (fact ->> 'known')::timestamptz);
    when 'card' then
      delete from life_card;
      insert into life_card values (fact ->> 'method');
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
        -- Of several that fall due at that moment, those before it renew nothing.
        cost := 0;
        while cost = 0 loop
          select * into due from pg_temp.next_due(zone);
          if not found or due.name <> 'renewal' or due.due <> one.at then raise 'a renewal of nothing at %', one.at; end if;
          cost := pg_temp.renew(fact ->> 'invoice', zone, one.at);
        end loop;
      elsif fact ->> 'kind' = 'usage' then
        select * into due from pg_temp.next_due(zone);
        if due.name = 'renewal' or due.due <> one.at or pg_temp.bill_usage(fact ->> 'invoice', due.of_sub, due.of_month, zone, one.at) = 0 then raise 'no usage is due at %', one.at; end if;
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
    when 'corrected' then
      select * into due from pg_temp.next_due(zone);
      if due.name = 'renewal' or due.due <> one.at or not pg_temp.give_less(one.seq, due.of_sub, coalesce(due.of_month, (select used from subs where sub = due.of_sub)), zone, one.at) then raise 'nothing is to be given back at %', one.at; end if;
    when 'began' then perform pg_temp.begin_payment(one.seq, one.at, zone, fact);
    when 'released' then
      if (fact ->> 'declined')::boolean then perform pg_temp.keep(one.at, zone); end if;
      update pays set state = 'over', ended = one.seq where payment = fact ->> 'payment';
      perform pg_temp.book(one.seq, 'held:cash', 'cash', (select balance from pays where payment = fact ->> 'payment'));
      perform pg_temp.book(one.seq, 'held:promo', 'promo', (select promo from pays where payment = fact ->> 'payment'));
      perform pg_temp.give_back(fact ->> 'payment', (select promo from pays where payment = fact ->> 'payment'));
    when 'paid' then
      perform pg_temp.settle(one.seq, one.at, fact ->> 'payment');
      -- Usage is counted from where a plan begins.
      update subs set used = pg_temp.month_of(anchor, one.at, zone) where kind = 'plan' and used is null
        and exists (select from items where items.sub = subs.sub and state = 'active');
      -- One that was owed while the machines were stopped for another.
      for old in select distinct sub from items join lines using (item) join bills using (invoice) join pays using (invoice)
        where payment = fact ->> 'payment' and bills.kind = 'renewal' loop
        perform pg_temp.run_again(one.seq, one.at, old.sub);
      end loop;
    when 'stopped' then
      update items set is_stopped = true where fact -> 'items' ? item;
      insert into stops select distinct sub, one.at from items
      where fact -> 'items' ? item and not exists (select from stops where stops.sub = items.sub and ends is null);
    when 'resumed' then
      update items set is_stopped = false where fact -> 'items' ? item;
      for old in select distinct sub from items where fact -> 'items' ? item loop
        perform pg_temp.run_again(one.seq, one.at, old.sub);
      end loop;
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
        -- Of a plan that owes usage, what was paid ahead for it: above the one before it, too.
        select jsonb_agg(item) into basket from items where sub = old.sub and (state = 'active' or old.kind = 'plan' and state = 'ended');
        perform pg_temp.destroy(one.seq, one.at, basket, true,
          case when old.kind = 'plan' and (select kind from bills where invoice = fact ->> 'invoice') <> 'usage' then fact ->> 'invoice' end);
      end loop;
      perform pg_temp.book(one.seq, 'writeoff', 'receivable', (select total from bills where invoice = fact ->> 'invoice')
        - (select coalesce(sum(owed), 0) from notes where invoice = fact ->> 'invoice'));
      update bills set state = 'uncollectible' where invoice = fact ->> 'invoice';
    when 'destroyed' then perform pg_temp.destroy(one.seq, one.at, fact -> 'items', (fact ->> 'hasRun')::boolean);
    end case;
    insert into life_cash values (one.seq, pg_temp.cash());
  end loop;
  if exists (select from grants where expires <= until and not is_over) then raise 'a grant that expired was not ended'; end if;
  perform pg_temp.book(0, 'promo', 'promo_cost', (select coalesce(sum(left_minor), 0) from grants where expires <= until));
end
$$;
