-- A record of what an erased account did to what is another's stays with that other: it loses who did it and from where
-- alone, and gets a new salt. The erasure keeps a hash over the commitments that such records have from then on.
create table audit_replaced (
  record bigint not null,
  -- The number of the erasure.
  erasure bigint not null,
  commitment text not null constraint audit_replaced_commitment_check check (commitment ~ '^[0-9a-f]{64}$'),
  constraint audit_replaced_pkey primary key (record, erasure)
);
create index audit_replaced_erasure_idx on audit_replaced (erasure, record);
create trigger audit_replaced_append_only before update or delete on audit_replaced
  for each row execute function audit_refuse();
create trigger audit_replaced_no_truncate before truncate on audit_replaced
  for each statement execute function audit_refuse();

-- SHA-256, hex, over `record:commitment` of its rows of audit_replaced, in order, with commas between.
alter table audit_records add column replaced text
  constraint audit_records_replaced_check check (replaced ~ '^[0-9a-f]{64}$');

-- Records without it keep the hash that they have.
create or replace function audit_hash(previous text, record audit_records) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(previous) || audit_field(record.seq::text)
    || audit_field(to_char(record.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(record.session_id) || audit_field(record.action) || audit_field(record.object_kind)
    || audit_field(record.commitment) || audit_field(record.erased)
    || case when record.replaced is null then '' else audit_field(record.replaced) end, 'UTF8')), 'hex');

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

create or replace view audit_entries as
  select record.seq, record.at, personal.actor, record.session_id, personal.ip, record.action, record.object_kind,
    personal.object_id, personal.object_name, personal.owner, personal.before, personal.after, record.hash,
    personal.record is null
      or exists (select from audit_replaced replaced where replaced.record = record.seq) as is_erased
  from audit_records record left join audit_personal personal on personal.record = record.seq;
