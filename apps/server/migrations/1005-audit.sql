-- A row is a record of the current transaction. The rows are sealed into audit_records when it commits, so that other
-- transactions always see an empty table.
create table audit_drafts (
  id bigint generated always as identity constraint audit_drafts_pkey primary key,
  at timestamptz not null default clock_timestamp(),
  -- `actor` and `owner` are ids of accounts; a person without an account is given by DID. Null actor: the system.
  actor text,
  session_id text,
  ip text,
  action text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  owner text,
  before text,
  after text,
  -- Of an erasure: DID of the person whose records lose their personal fields at commit.
  erases text
);

-- End of the chain. If the last records are missing, the chain does not reach it.
create table audit_head (
  is_only boolean default true
    constraint audit_head_pkey primary key
    constraint audit_head_is_only_check check (is_only),
  seq bigint not null,
  hash text not null
);

insert into audit_head (seq, hash) values (0, repeat('0', 64));

-- Heads of the chain, signed with the deployment's secret key, which the database does not know. An attacker who
-- rewrites the whole chain with the rights of a superuser still cannot forge these. One is written in every minute in
-- which the head has moved.
create table audit_seals (
  seq bigint constraint audit_seals_pkey primary key,
  hash text not null,
  mac text not null,
  at timestamptz not null
);

-- Personal fields of a record. The record itself holds only a commitment: a hash over a random salt and the fields of
-- its row here. Without row and salt nothing can be guessed from the commitment, and the chain is still valid
-- (modules/audit, ADR 0010).
create table audit_personal (
  -- Number (`seq`) of the record.
  record bigint constraint audit_personal_pkey primary key,
  salt text not null default replace(gen_random_uuid()::text, '-', ''),
  -- DID of the person who acted. Null: the system, its operator, or a person who was erased.
  actor text,
  ip text,
  object_id text not null,
  object_name text,
  -- DID of the account that the record is about. Null: no account, or one that was erased.
  owner text,
  before text,
  after text
);
create index audit_personal_actor_idx on audit_personal (actor, record);
create index audit_personal_owner_idx on audit_personal (owner, record);

create table audit_records (
  seq bigint constraint audit_records_pkey primary key,
  at timestamptz not null,
  session_id text,
  action text not null,
  object_kind text not null,
  commitment text not null constraint audit_records_commitment_check check (commitment ~ '^[0-9a-f]{64}$'),
  -- Of an erasure: numbers of the records whose personal rows were deleted with it, such as 3-7,12.
  erased text constraint audit_records_erased_check check (erased ~ '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$'),
  -- SHA-256, hex, over the previous hash and the other columns: see `audit_hash`.
  hash text not null constraint audit_records_hash_checked check (hash ~ '^[0-9a-f]{64}$'),
  -- Of an erasure: SHA-256, hex, over `record:commitment` of its rows in audit_replaced, in order, separated by commas.
  -- Null if it has none.
  replaced text constraint audit_records_replaced_check check (replaced ~ '^[0-9a-f]{64}$')
);

-- If an erased account acted on an object of another account, the record stays with the owner of that object. Only its
-- actor and address are removed, and it gets a new salt. A row holds the record's new commitment; the record of the
-- erasure holds a hash over these commitments.
create table audit_replaced (
  -- Number of the record.
  record bigint,
  -- Number of the erasure's record.
  erasure bigint,
  commitment text not null constraint audit_replaced_commitment_check check (commitment ~ '^[0-9a-f]{64}$'),
  constraint audit_replaced_pkey primary key (record, erasure)
);
create index audit_replaced_erasure_idx on audit_replaced (erasure, record);

-- Encodes a field as its length in bytes, a colon and its text, and null as a minus, so that no two rows have the same
-- encoding.
create function audit_field(value text) returns text language sql immutable parallel safe
  return coalesce(octet_length(value) || ':' || value, '-') || ',';

create function audit_seal() returns trigger language plpgsql as $$
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
    -- Whole rows are deleted and inserted again, because a row may not be updated.
    for personal in delete from audit_personal where actor = new.erases returning * loop
      personal.salt := replace(gen_random_uuid()::text, '-', '');
      personal.actor := null;
      personal.ip := null;
      -- A signature names the key of the signer.
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
    -- An erasure records the account's id, which is kept.
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

create function audit_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;

create function audit_commitment(personal audit_personal) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(personal.salt) || audit_field(personal.actor) || audit_field(personal.ip)
    || audit_field(personal.object_id) || audit_field(personal.object_name) || audit_field(personal.owner)
    || audit_field(personal.before) || audit_field(personal.after), 'UTF8')), 'hex');

-- A record whose `replaced` is null is hashed without that field.
create function audit_hash(previous text, record audit_records) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(previous) || audit_field(record.seq::text)
    || audit_field(to_char(record.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(record.session_id) || audit_field(record.action) || audit_field(record.object_kind)
    || audit_field(record.commitment) || audit_field(record.erased)
    || case when record.replaced is null then '' else audit_field(record.replaced) end, 'UTF8')), 'hex');

create view audit_entries as
  select record.seq, record.at, personal.actor, record.session_id, personal.ip, record.action, record.object_kind,
    personal.object_id, personal.object_name, personal.owner, personal.before, personal.after, record.hash,
    personal.record is null
      or exists (select from audit_replaced replaced where replaced.record = record.seq) as is_erased
  from audit_records record left join audit_personal personal on personal.record = record.seq;

-- Runs at the end of the transaction, so that the chain is locked only while the transaction commits.
create constraint trigger audit_drafts_seal after insert on audit_drafts
  deferrable initially deferred for each row execute function audit_seal();
-- Only an erasure may delete rows, within the trigger function audit_seal.
create trigger audit_personal_kept before delete on audit_personal
  for each row when (pg_trigger_depth() = 0) execute function audit_refuse();
create trigger audit_personal_no_truncate before truncate on audit_personal
  for each statement execute function audit_refuse();
create trigger audit_personal_unchanged before update on audit_personal
  for each row execute function audit_refuse();
create trigger audit_records_append_only before update or delete on audit_records
  for each row execute function audit_refuse();
create trigger audit_records_no_truncate before truncate on audit_records
  for each statement execute function audit_refuse();
create trigger audit_replaced_append_only before update or delete on audit_replaced
  for each row execute function audit_refuse();
create trigger audit_replaced_no_truncate before truncate on audit_replaced
  for each statement execute function audit_refuse();
create trigger audit_seals_append_only before update or delete on audit_seals
  for each row execute function audit_refuse();
create trigger audit_seals_no_truncate before truncate on audit_seals
  for each statement execute function audit_refuse();
