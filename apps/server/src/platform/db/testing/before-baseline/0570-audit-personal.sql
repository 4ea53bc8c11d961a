-- A record of the audit log says of people and of what is theirs only a commitment: a hash over a random salt and the
-- fields of its row here. Without row and salt nothing can be guessed from it, and the chain still holds
-- (modules/audit, ADR 0010).
create table audit_personal (
  record bigint constraint audit_personal_pkey primary key,
  salt text not null default replace(gen_random_uuid()::text, '-', ''),
  -- Null: the system, or its operator.
  actor text,
  ip text,
  object_id text not null,
  object_name text,
  -- Null: the record is about no account, or about one that is erased.
  owner text,
  before text,
  after text
);
create index audit_personal_owner_idx on audit_personal (owner, record);
create index audit_personal_actor_idx on audit_personal (actor, record);

create function audit_commitment(personal audit_personal) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(personal.salt) || audit_field(personal.actor) || audit_field(personal.ip)
    || audit_field(personal.object_id) || audit_field(personal.object_name) || audit_field(personal.owner)
    || audit_field(personal.before) || audit_field(personal.after), 'UTF8')), 'hex');

alter table audit_records rename to audit_plain_records;
alter table audit_plain_records rename constraint audit_records_pkey to audit_plain_records_pkey;
create table audit_records (
  seq bigint constraint audit_records_pkey primary key,
  at timestamptz not null,
  session_id text,
  action text not null,
  object_kind text not null,
  commitment text not null constraint audit_records_commitment_check check (commitment ~ '^[0-9a-f]{64}$'),
  -- Of an erasure: the numbers of the records whose personal rows went with it, as 3-7,12.
  erased text constraint audit_records_erased_check check (erased ~ '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$'),
  -- SHA-256, hex, over the previous hash and the fields above: audit_hash.
  hash text not null constraint audit_records_hash_checked check (hash ~ '^[0-9a-f]{64}$')
);

drop function audit_hash(text, bigint, audit_drafts);
create function audit_hash(previous text, record audit_records) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(previous) || audit_field(record.seq::text)
    || audit_field(to_char(record.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(record.session_id) || audit_field(record.action) || audit_field(record.object_kind)
    || audit_field(record.commitment) || audit_field(record.erased), 'UTF8')), 'hex');

-- Of an erasure, in the transaction that erases alone: whose rows go when it commits.
alter table audit_drafts alter column owner drop not null;
alter table audit_drafts add column erases text;

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
      delete from audit_personal where owner = new.erases or actor = new.erases returning audit_personal.record as number
    ), islands as (
      select min(number) as first, max(number) as last
      from (select number, number - row_number() over (order by number) as island from gone) as numbered group by island
    )
    select string_agg(first || case when last > first then '-' || last else '' end, ',' order by first)
    into made.erased from islands;
  end if;
  insert into audit_personal (record, actor, ip, object_id, object_name, owner, before, after)
  values (made.seq, new.actor, new.ip, new.object_id, new.object_name, new.owner, new.before, new.after)
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

-- The records of before, once: the chain is made again over their commitments, and its old end becomes a record.
do $$
declare
  old audit_plain_records;
  old_head audit_head;
  personal audit_personal;
  made audit_records;
  previous text := repeat('0', 64);
begin
  select * into strict old_head from audit_head;
  for old in select * from audit_plain_records order by seq loop
    insert into audit_personal (record, actor, ip, object_id, object_name, owner, before, after)
    values (old.seq, old.actor, old.ip, old.object_id, old.object_name, old.owner, old.before, old.after)
    returning * into personal;
    made := row(old.seq, old.at, old.session_id, old.action, old.object_kind, audit_commitment(personal), null, null)::audit_records;
    made.hash := audit_hash(previous, made);
    insert into audit_records select made.*;
    previous := made.hash;
  end loop;
  if old_head.seq > 0 then
    update audit_head set hash = previous;
    insert into audit_drafts (action, object_kind, object_id, before)
    values ('log.convert', 'log', 'audit', json_build_object('head', old_head.seq || ':' || old_head.hash)::text);
    set constraints audit_drafts_seal immediate;
    set constraints audit_drafts_seal deferred;
  end if;
end $$;
drop table audit_plain_records;

create trigger audit_records_append_only before update or delete on audit_records
  for each row execute function audit_refuse();
create trigger audit_records_no_truncate before truncate on audit_records
  for each statement execute function audit_refuse();
create trigger audit_personal_unchanged before update on audit_personal
  for each row execute function audit_refuse();
-- Within audit_seal, a trigger itself, an erasure may: nobody else.
create trigger audit_personal_kept before delete on audit_personal
  for each row when (pg_trigger_depth() = 0) execute function audit_refuse();
create trigger audit_personal_no_truncate before truncate on audit_personal
  for each statement execute function audit_refuse();

-- Records with what is kept of their people, for reading.
create view audit_entries as
  select record.seq, record.at, personal.actor, record.session_id, personal.ip, record.action, record.object_kind,
    personal.object_id, personal.object_name, personal.owner, personal.before, personal.after, record.hash,
    personal.record is null as is_erased
  from audit_records record left join audit_personal personal on personal.record = record.seq;
