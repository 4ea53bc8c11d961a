-- A line of an invoice may be given back in parts: its reading may change more than once (module billing). In all never
-- more than it cost.
alter table credit_note_items drop constraint credit_note_items_once_key;
create index credit_note_items_line_idx on credit_note_items (invoice_id, line);

create function credit_note_items_within() returns trigger language plpgsql as $$
begin
  if exists (
    select from invoice_items cost cross join lateral (
      select sum(amount_minor) as amount, sum(discount_minor) as discount from credit_note_items back
      where back.invoice_id = cost.invoice_id and back.line = cost.line) as given
    where cost.invoice_id = new.invoice_id and cost.line = new.line
      and (given.amount > cost.amount_minor or given.discount > cost.discount_minor
        or given.amount - given.discount > cost.amount_minor - cost.discount_minor)
  ) then
    raise exception 'more is given back of line % of % than it cost', new.line, new.invoice_id using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger credit_note_items_within after insert on credit_note_items for each row execute function credit_note_items_within();
