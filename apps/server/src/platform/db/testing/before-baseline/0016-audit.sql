-- Who did what, in the order in which it was committed. Each record carries the hash of the one before it, so a record
-- that was changed, put in or taken out breaks the chain where it stands (modules/audit). Nothing is ever changed or removed here, by
-- anybody: the triggers below refuse it.
create table audit_records (
  seq bigint constraint audit_records_pkey primary key,
  at timestamptz not null,
  -- Null: the system, or its operator. No foreign keys: a record outlives what it tells of.
  actor text,
  session_id text,
  ip text,
  action text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  owner text not null,
  -- JSON texts, kept letter for letter because they are part of what is hashed.
  before text,
  after text,
  -- SHA-256, hex, over the previous hash and the fields above: audit_hash.
  hash text not null constraint audit_records_hash_check check (hash ~ '^[0-9a-f]{64}$')
);
create index audit_records_owner_idx on audit_records (owner, seq);
create index audit_records_actor_idx on audit_records (actor, seq);

-- What a transaction has done so far; sealed into audit_records when it commits. Always empty from outside.
create table audit_drafts (
  id bigint generated always as identity constraint audit_drafts_pkey primary key,
  at timestamptz not null default clock_timestamp(),
  actor text,
  session_id text,
  ip text,
  action text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  owner text not null,
  before text,
  after text
);

-- Where the chain ends; a chain whose last records are gone does not reach it.
create table audit_head (
  is_only boolean not null default true constraint audit_head_pkey primary key constraint audit_head_is_only_check check (is_only),
  seq bigint not null,
  hash text not null
);
insert into audit_head (seq, hash) values (0, repeat('0', 64));

-- The head under the deployment's secret key, which the database does not know: who rewrites the whole chain with the
-- rights of a superuser still cannot make these. Written every minute in which the head has moved.
create table audit_seals (
  seq bigint constraint audit_seals_pkey primary key,
  hash text not null,
  mac text not null,
  at timestamptz not null
);

-- A field as its length in bytes, a colon and its text; null as a minus. So no two rows read the same.
create function audit_field(value text) returns text language sql immutable parallel safe
  return coalesce(octet_length(value) || ':' || value, '-') || ',';

create function audit_hash(previous text, seq bigint, draft audit_drafts) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(previous) || audit_field(seq::text)
    || audit_field(to_char(draft.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(draft.actor) || audit_field(draft.session_id) || audit_field(draft.ip) || audit_field(draft.action)
    || audit_field(draft.object_kind) || audit_field(draft.object_id) || audit_field(draft.object_name)
    || audit_field(draft.owner) || audit_field(draft.before) || audit_field(draft.after), 'UTF8')), 'hex');

-- What numbers things in the order of commits (this, and the changes of 0017) takes one lock first, held from the last
-- moment of a transaction to its end. One lock for all of them: two would be taken in either order. Notifications are
-- put in order by PostgreSQL the same way, so this costs no parallelism that was there.
create function lock_commit_order() returns void language sql volatile
  return pg_advisory_xact_lock(7001, 2);

create function audit_seal() returns trigger language plpgsql as $$
declare
  head audit_head;
  next_hash text;
begin
  perform lock_commit_order();
  select * into strict head from audit_head;
  next_hash := audit_hash(head.hash, head.seq + 1, new);
  insert into audit_records (seq, at, actor, session_id, ip, action, object_kind, object_id, object_name, owner, before, after, hash)
  values (head.seq + 1, new.at, new.actor, new.session_id, new.ip, new.action, new.object_kind, new.object_id, new.object_name,
    new.owner, new.before, new.after, next_hash);
  update audit_head set seq = head.seq + 1, hash = next_hash;
  delete from audit_drafts where id = new.id;
  return null;
end $$;
-- At the end of the transaction, so that the chain is locked for as long as a commit takes and no longer.
create constraint trigger audit_drafts_seal after insert on audit_drafts
  deferrable initially deferred for each row execute function audit_seal();

create function audit_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;
create trigger audit_records_append_only before update or delete on audit_records
  for each row execute function audit_refuse();
create trigger audit_records_no_truncate before truncate on audit_records
  for each statement execute function audit_refuse();
create trigger audit_seals_append_only before update or delete on audit_seals
  for each row execute function audit_refuse();
create trigger audit_seals_no_truncate before truncate on audit_seals
  for each statement execute function audit_refuse();
