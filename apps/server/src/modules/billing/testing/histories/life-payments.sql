-- What pays a life's bills, and what is given back of them: functions of life-oracle.sql.

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

-- Whole seconds of a time for which a subscription's machines were stopped, because a bill was past due.
create function pg_temp.stopped(of_sub text, starts timestamptz, until timestamptz, now timestamptz) returns numeric language sql as $$
  select coalesce(sum(greatest(0, floor(extract(epoch from
    least(coalesce(stops.ends, now), until) - greatest(stops.starts, stopped.starts))))), 0) from stops where sub = of_sub
$$;

-- Items give back what is left of their time, to the second, and what they were stopped of it; those that go on the
-- latter alone, where it was paid.
create function pg_temp.give_time(seq integer, now timestamptz, giving jsonb, has_run boolean, only_bill text, go_on boolean) returns void language plpgsql as $$
declare
  bill record;
  sums record;
begin
  for bill in select bills.* from bills where (state = 'paid' or state = 'open' and not go_on) and invoice = coalesce(only_bill, invoice)
    and exists (select from lines where lines.invoice = bills.invoice and giving ? item) loop
    with own as (
      select lines.line, lines.item, amount, discount, given, ends - starts as lasts, amount - discount as net, amount - discount - given as stays,
        coalesce(shared.promo, 0) as promo, greatest(0, least(extract(epoch from ends - starts), floor(extract(epoch from until - starts)))) as used,
        pg_temp.stopped(items.sub, starts, least(ends, until), now) as stood
      from lines join items using (item) left join pg_temp.allocated((select pays.promo from pays where payment = bill.paid_by), bill.invoice) as shared on shared.line = lines.line
        cross join lateral (select case when go_on then ends else now end as until) as time
      where invoice = bill.invoice and giving ? item and not credited and product = 'Instance'
    ), kept as (
      select own.*, case when has_run then pg_temp.half_even(net * (used - stood), extract(epoch from lasts)) else 0 end as kept from own
    ), split as (
      select kept.*, least(promo, stays) - least(promo, kept) as unused from kept
    ), parts as (
      -- How much of the line's amount: of what a coupon paid whole, by its time.
      select split.*, case when net = 0 and has_run then amount - pg_temp.half_even(amount * used, extract(epoch from lasts))
          when net = 0 then amount
          else pg_temp.half_even(amount * (net - kept), net) - pg_temp.half_even(amount * split.given, net) end as part,
        case when bill.paid_by is null then 0 else stays - kept - unused end as to_cash,
        case when bill.paid_by is null then stays - kept else 0 end as off_owed,
        case when bill.paid_by is null then 0 else unused end as to_promo from split
    ), given as (
      -- A coupon was used by what ran, though all of it is given back: the least of it stays.
      select line, stays, kept, to_cash, off_owed, to_promo, part - case when has_run and discount > 0 and part > stays - kept
        and (net = 0 and part = amount or net > 0 and kept = 0) then 1 else 0 end as part from parts
    ), marked as (
      update lines set credited = not go_on, off = off + of_line.off_owed, back = back + of_line.part - (of_line.stays - of_line.kept),
        given = lines.given + of_line.stays - of_line.kept
      from given as of_line where lines.invoice = bill.invoice and lines.line = of_line.line and of_line.part > 0
    )
    select coalesce(sum(to_cash), 0) as cash, coalesce(sum(to_promo), 0) as promo, coalesce(sum(off_owed), 0) as owed
      into sums from given;
    continue when sums.cash + sums.promo + sums.owed = 0;
    insert into notes values (seq, bill.invoice, sums.cash, sums.promo, sums.owed);
    perform pg_temp.book(seq, 'earned', 'cash', sums.cash);
    perform pg_temp.book(seq, 'earned', 'promo', sums.promo);
    perform pg_temp.book(seq, 'earned', 'receivable', sums.owed);
    perform pg_temp.give_back(bill.paid_by, sums.promo);
  end loop;
end
$$;

-- Machines that no item of their subscription stops any more: what they were charged for the time is given back.
create function pg_temp.run_again(seq integer, now timestamptz, of_sub text) returns void language plpgsql as $$
begin
  if exists (select from items where sub = of_sub and is_stopped) then return; end if;
  update stops set ends = now where sub = of_sub and ends is null;
  if exists (select from stops where sub = of_sub) then
    perform pg_temp.give_time(seq, now, (select coalesce(jsonb_agg(item), '[]') from items where sub = of_sub and state = 'active'), true, null, true);
  end if;
end
$$;

create function pg_temp.destroy(seq integer, now timestamptz, ending jsonb, has_run boolean, only_bill text default null) returns void language plpgsql as $$
declare
  of_sub text;
begin
  perform pg_temp.give_time(seq, now, ending, has_run, only_bill, false);
  update items set state = 'ended', ended = now, is_stopped = false where ending ? item and state = 'active';
  for of_sub in select distinct sub from items where ending ? item loop
    perform pg_temp.run_again(seq, now, of_sub);
  end loop;
end
$$;

-- What is set aside for a payment, and asked of the card.
create function pg_temp.begin_payment(seq integer, now timestamptz, zone text, fact jsonb) returns void language plpgsql as $$
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
  if bill.kind <> 'usage' and (promo + balance > 0 or may_roll and due > 0 and due + owed < 100) then perform pg_temp.keep(now, zone); end if;
  insert into pays select fact ->> 'payment', bill.invoice, 'open', promo, balance,
    case when due = 0 or rolls then 0 else due + owed end, case when due = 0 or rolls then 0 else owed end, case when rolls then due else 0 end, (fact ->> 'card')::boolean, (select method from life_card), null
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
  update pays set state = 'succeeded', ended = seq where payment = of_payment;
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
