-- What a document showed when it was issued, in rows of their own: the names of its account, clusters and instances, the
-- seller, the zone, of usage the share of each cluster, and of a payment its card. Pages, lists, CSV, files and mails are
-- made of these, whatever is renamed, repaired or set differently later.

-- Who sold, as the settings had it, from then on.
create table issuers (
  seq integer generated always as identity constraint issuers_pkey primary key,
  product text not null,
  name text not null,
  address text[] not null,
  kept_at timestamptz not null
);
create trigger issuers_append_only before update or delete on issuers for each row execute function audit_refuse();
create trigger issuers_no_truncate before truncate on issuers for each statement execute function audit_refuse();

create table document_copies (
  -- Of an invoice, a credit note, or a payment by card.
  document_id text constraint document_copies_pkey primary key,
  userid text not null constraint document_copies_userid_fkey references accounts (userid),
  -- Null, on documents from before this table: the first that was kept.
  issuer integer constraint document_copies_issuer_fkey references issuers (seq),
  -- modules/billing/documents/document-copies.ts
  content jsonb not null
);

-- Of a line of usage, what each cluster used of what was counted, 10^-6 units: its share of the newest reading that was
-- kept before the invoice, of each part of the period.
create function document_shares(charged invoice_items, of_subscription text, issued timestamptz) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('clusterId', used.id, 'name', coalesce(clusters.name, used.id),
    'used', round(used.counted)::text) order by used.counted desc, used.id), '[]')
  from (
    select share ->> 'clusterId' as id,
      sum((share ->> 'used')::numeric * (part ->> 'used')::numeric / nullif(reading.used, 0)) as counted
    from jsonb_array_elements(charged.explain::jsonb -> 'parts') as part
    cross join lateral (
      select used, parts from usage_readings
      where subscription_id = of_subscription and product_type = charged.product_type
        and from_at = (part ->> 'start')::timestamptz and to_at <= charged.period_end and recorded_at <= issued
      order by recorded_at desc limit 1
    ) as reading
    cross join lateral jsonb_array_elements(reading.parts::jsonb) as share
    group by 1
  ) as used left join clusters on clusters.id = used.id
  where used.counted > 0
$$;

-- What an invoice shows, by what is so now.
create function document_content(of_invoice text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'account', (select names.name from names where names.did = invoice.userid),
    'zone', (select coalesce(accounts.zone, 'UTC') from accounts where accounts.userid = invoice.userid),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'line', charged.line,
        'cluster', case when cluster.id is not null
          then jsonb_build_object('id', cluster.id, 'name', cluster.name) end,
        'instance', case when instance.id is not null
          then jsonb_build_object('id', instance.id, 'role', instance.role, 'ordinal', instance.ordinal) end,
        'shares', case when charged.revenue = 'usage'
          then document_shares(charged, item.subscription_id, invoice.recorded_at) else '[]' end) order by charged.line), '[]')
      from invoice_items charged
      join subscription_items item on item.id = charged.item_id
      join subscriptions subscription on subscription.id = item.subscription_id
      left join clusters cluster on cluster.id = subscription.cluster_id
      left join instances instance on instance.id = item.instance_id
      where charged.invoice_id = invoice.id))
  from invoices invoice where invoice.id = of_invoice
$$;

-- What a credit note shows: the account as it is now, and the lines that it gives back as their invoice has them.
create function credit_note_content(of_note text) returns jsonb language sql stable as $$
  select document_content(note.invoice_id) || jsonb_build_object('lines', (
    select coalesce(jsonb_agg(line order by line -> 'line'), '[]')
    from document_copies copy cross join lateral jsonb_array_elements(copy.content -> 'lines') as line
    where copy.document_id = note.invoice_id and (line ->> 'line')::integer in (
      select credit_note_items.line from credit_note_items where credit_note_id = note.id)))
  from credit_notes note where note.id = of_note
$$;

-- What stands: once, by what is so at this migration.
insert into document_copies select id, userid, null, document_content(id) from invoices;
insert into document_copies select id, userid, null, credit_note_content(id) from credit_notes;
insert into document_copies
  select payments.id, payments.userid, null,
    jsonb_build_object('card', jsonb_build_object('brand', card.brand, 'last4', card.last4))
  from payments join payment_methods card on card.id = payments.method_id;

-- No document without its copy.
alter table invoices add constraint invoices_copy_fkey foreign key (id) references document_copies (document_id)
  deferrable initially deferred;
alter table credit_notes add constraint credit_notes_copy_fkey foreign key (id) references document_copies (document_id)
  deferrable initially deferred;

-- One way alone leads past the guard, for the erasure of an account: the transaction that has written the account's
-- documents to the archive names the account in atoll.erasing_account (set_config('atoll.erasing_account', userid, true)),
-- and may then put a pseudonym into the content of that account's copies and delete its files. Nothing else may change.
create function document_guard() returns trigger language plpgsql as $$
begin
  if current_setting('atoll.erasing_account', true) = old.userid then
    if tg_op = 'DELETE' and tg_table_name = 'invoice_files' then
      return old;
    end if;
    if tg_op = 'UPDATE' and tg_table_name = 'document_copies' and to_jsonb(new) - 'content' = to_jsonb(old) - 'content' then
      return new;
    end if;
  end if;
  raise exception '% keeps what was issued: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;
create trigger document_copies_guard before update or delete on document_copies
  for each row execute function document_guard();
create trigger document_copies_no_truncate before truncate on document_copies
  for each statement execute function audit_refuse();
drop trigger invoice_files_append_only on invoice_files;
create trigger invoice_files_guard before update or delete on invoice_files
  for each row execute function document_guard();
