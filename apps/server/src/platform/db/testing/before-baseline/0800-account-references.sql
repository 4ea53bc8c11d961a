-- Every table refers to an account by its id: `accounts` alone knows its DID, beside the rows that are about a person
-- whether they have an account here or not (names, members of domains, codes that are shown, what was signed) and the
-- personal fields of the audit log. Columns keep their names; calls still say `userid` for the DID.
create temporary table converted (tab regclass, col name, primary key (tab, col)) on commit drop;
insert into converted
  select con.conrelid, att.attname from pg_constraint con
  join pg_attribute att on att.attrelid = con.conrelid and att.attnum = con.conkey[1]
  join pg_attribute to_att on to_att.attrelid = con.confrelid and to_att.attnum = con.confkey[1]
  where con.contype = 'f' and con.confrelid = 'accounts'::regclass and to_att.attname = 'userid';
insert into converted values
  ('alert_events', 'owner'), ('backup_chores', 'owner'), ('client_snapshots', 'owner'), ('cluster_hosts', 'owner'),
  ('proofs', 'owner'), ('restores', 'owner'), ('snapshots', 'owner'), ('vault_uploads', 'owner'),
  ('ledger_transactions', 'book'), ('ledger_entries', 'book'), ('ledger_balances', 'book'), ('ledger_seals', 'book'),
  ('operations', 'asked_by'), ('changes', 'account'), ('changes', 'object_id'), ('watchers', 'account'),
  ('presentation_nonces', 'holder'), ('invitation_mails', 'sender'), ('domain_transfers', 'from_did'),
  ('deployment_facts', 'value');

-- Keys between converted columns would refuse a table that is converted before the other.
create temporary table keys_apart on commit drop as
  select con.conrelid::regclass as tab, con.conname as name,
    replace(pg_get_constraintdef(con.oid), 'accounts(userid)', 'accounts(account_id)') as definition
  from pg_constraint con
  where con.contype = 'f' and (con.confrelid = 'accounts'::regclass or exists (
    select from converted join pg_attribute att on att.attrelid = converted.tab and att.attname = converted.col
    where con.conrelid = att.attrelid and att.attnum = any(con.conkey)
      or con.confrelid = att.attrelid and att.attnum = any(con.confkey)));

do $$
declare
  one record;
begin
  for one in select * from keys_apart loop
    execute format('alter table %s drop constraint %I', one.tab, one.name);
  end loop;
  -- What refuses changes refuses this one too, and no watcher needs to hear of it.
  for one in select distinct tab from converted loop
    execute format('alter table %s disable trigger user', one.tab);
  end loop;
  for one in select * from converted where tab <> 'meter_readings'::regclass loop
    execute format('update %s as held set %2$I = accounts.account_id from accounts where held.%2$I = accounts.userid',
      one.tab, one.col);
  end loop;
end $$;

-- A digest covers the owner. One that is wrong stays wrong, and so does what the tallies miss.
create temporary table weighed on commit drop as
  select product_type, sum(meter_reading_weight(digest)) as digests from meter_readings group by 1;
with renamed as (
  select reading.id, accounts.account_id, reading.digest = meter_reading_digest(reading) as is_sound
  from meter_readings reading join accounts on accounts.userid = reading.owner
)
update meter_readings held set owner = renamed.account_id, digest = case when renamed.is_sound then 'anew' else digest end
  from renamed where renamed.id = held.id;
update meter_readings held set digest = meter_reading_digest(held) where digest = 'anew';
update meter_tallies tally set digests = tally.digests + now.digests - weighed.digests
  from weighed join (
    select product_type, sum(meter_reading_weight(digest)) as digests from meter_readings group by 1
  ) now using (product_type)
  where weighed.product_type = tally.product_type;

-- What waits to be done: the accounts in it, and in the keys that it waits under.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    update graphile_worker._private_jobs job
      set payload = replace(job.payload::text, accounts.userid, accounts.account_id)::json,
        key = replace(job.key, accounts.userid, accounts.account_id)
      from accounts
      where strpos(job.payload::text, accounts.userid) > 0 or strpos(job.key, accounts.userid) > 0;
  end if;
end $$;
-- Owners were mailed in the order of their DIDs: what was not sent to all begins with the first of the ids.
update announcements set mailed_to = '' where mailed_to <> '';
-- Counts of minutes and hours, under keys that end with an account.
delete from rate_counts where key like '%did:key:%';

alter table accounts drop constraint accounts_pkey;
alter table accounts rename column userid to did;
alter table accounts rename constraint accounts_userid_check to accounts_did_check;
alter table accounts drop constraint accounts_account_id_key;
alter table accounts add constraint accounts_pkey primary key (account_id);
alter table accounts add constraint accounts_did_key unique (did);
drop index accounts_admin_idx;
create index accounts_admin_idx on accounts (account_id) where role = 'Admin';
alter table domain_transfers rename column from_did to from_userid;
-- For who names people by their DIDs, as the identity service does, which accounts are built on.
create view account_dids as select account_id, did from accounts;

do $$
declare
  one record;
begin
  for one in select * from keys_apart loop
    execute format('alter table %s add constraint %I %s', one.tab, one.name, one.definition);
  end loop;
  for one in select distinct tab from converted loop
    execute format('alter table %s enable trigger user', one.tab);
  end loop;
end $$;
-- Those that had no key to the account yet.
alter table alert_events add constraint alert_events_owner_fkey foreign key (owner) references accounts (account_id);
alter table backup_chores add constraint backup_chores_owner_fkey foreign key (owner) references accounts (account_id);
alter table cluster_hosts add constraint cluster_hosts_owner_fkey foreign key (owner) references accounts (account_id);
alter table proofs add constraint proofs_owner_fkey foreign key (owner) references accounts (account_id);
alter table restores add constraint restores_owner_fkey foreign key (owner) references accounts (account_id);
alter table snapshots add constraint snapshots_owner_fkey foreign key (owner) references accounts (account_id);
alter table vault_uploads add constraint vault_uploads_owner_fkey foreign key (owner) references accounts (account_id);
alter table domain_transfers
  add constraint domain_transfers_from_userid_fkey foreign key (from_userid) references accounts (account_id);

-- The personal fields of the audit log are a person's own, by the DID: records written before keep what they say, and a
-- signature in the wallet is compared with who acted. Who has no account is written as they are.
create function audit_did(account text) returns text language sql stable as $$
  select coalesce((select did from accounts where account_id = account), account)
$$;
create or replace function audit_seal() returns trigger language plpgsql as $$
declare
  head audit_head;
  personal audit_personal;
  made audit_records;
begin
  perform lock_commit_order();
  select * into strict head from audit_head;
  made.seq := head.seq + 1;
  if new.erases is not null then
    with gone as (
      delete from audit_personal where owner = new.erases returning audit_personal.record as number
    ), islands as (
      select min(number) as first, max(number) as last
      from (select number, number - row_number() over (order by number) as island from gone) as numbered group by island
    )
    select string_agg(first || case when last > first then '-' || last else '' end, ',' order by first)
    into made.erased from islands;
    -- Whole rows, as none may be changed.
    for personal in delete from audit_personal where actor = new.erases returning * loop
      personal.salt := replace(gen_random_uuid()::text, '-', '');
      personal.actor := null;
      personal.ip := null;
      -- A signature names the key of who signed.
      if personal.after::jsonb ? 'approval' then personal.after := (personal.after::jsonb - 'approval')::text; end if;
      insert into audit_personal select personal.*;
      insert into audit_replaced (record, erasure, commitment)
      values (personal.record, made.seq, audit_commitment(personal));
    end loop;
    select encode(sha256(convert_to(string_agg(record || ':' || commitment, ',' order by record), 'UTF8')), 'hex')
    into made.replaced from audit_replaced where erasure = made.seq;
  end if;
  insert into audit_personal (record, actor, ip, object_id, object_name, owner, before, after)
  values (made.seq, audit_did(new.actor), new.ip,
    -- An erasure names the id, which stays.
    case when new.object_kind = 'account' and new.erases is null then audit_did(new.object_id) else new.object_id end,
    new.object_name, audit_did(new.owner), new.before, new.after)
  returning * into personal;
  made.at := new.at;
  made.session_id := new.session_id;
  made.action := new.action;
  made.object_kind := new.object_kind;
  made.commitment := audit_commitment(personal);
  made.hash := audit_hash(head.hash, made);
  insert into audit_records select made.*;
  update audit_head set seq = made.seq, hash = made.hash;
  delete from audit_drafts where id = new.id;
  return null;
end $$;

create or replace function changes_of_members() returns trigger language plpgsql as $$
begin
  insert into changes (account, topic, object_id)
    select domains.userid, new.topic, new.object_id
    from accounts join domain_members on domain_members.did = accounts.did
      join domains on domains.number = domain_members.domain
    where accounts.account_id = new.account and domains.userid <> new.account and domains.released_at is null;
  return null;
end $$;

create or replace function ledger_open() returns trigger language plpgsql as $$
begin
  new.first_hash := encode(sha256(convert_to(audit_field(new.userid) || audit_field(new.currency), 'UTF8')), 'hex');
  new.hash := new.first_hash;
  return new;
end $$;

create or replace function document_content(of_invoice text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'account', (select names.name from names join accounts on accounts.did = names.did
      where accounts.account_id = invoice.userid),
    'zone', (select coalesce(accounts.zone, 'UTC') from accounts where accounts.account_id = invoice.userid),
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
