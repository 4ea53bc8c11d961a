-- The id of this deployment at compute providers, created once. It keeps two databases that share a provider by mistake
-- from taking each other's instances for leftovers.
create table deployments (
  id text constraint deployments_pkey primary key,
  is_only boolean not null default true
    constraint deployments_is_only_key unique
    constraint deployments_is_only_check check (is_only)
);

insert into deployments (id) values (replace(gen_random_uuid()::text, '-', ''));

-- A row is an operation that takes a while, such as creating a cluster.
create table operations (
  id text constraint operations_pkey primary key,
  -- Cluster on whose page the operation is shown; null: none.
  cluster_id text,
  owner text not null constraint operations_owner_fkey references accounts (account_id),
  kind text not null,
  state text not null constraint operations_state_check check (state in ('running', 'done', 'failed', 'canceled')),
  started_at timestamptz not null,
  deadline_at timestamptz not null,
  ended_at timestamptz,
  -- JSON of StoredReason; null if it did not fail.
  error text,
  -- [{step, state, startedAt, endedAt, detail: Reason|null}], in order.
  steps jsonb not null default '[]',
  -- Account id; null: the system.
  asked_by text,
  subject_kind text not null,
  subject_id text not null,
  constraint operations_ended_at_check check ((state = 'running') = (ended_at is null))
);
create index operations_cluster_id_idx on operations (cluster_id, started_at);
-- The newest completed installs show how long installs take.
create index operations_installs_idx on operations (ended_at desc) where kind = 'create' and state = 'done';
-- Used to find running operations by their deadline.
create index operations_late_idx on operations (deadline_at) where state = 'running';
create unique index operations_running_key on operations (subject_kind, subject_id) where state = 'running';

-- Idempotency keys chosen by clients, with the answer to repeat. Kept for 24 hours.
create table request_keys (
  owner text constraint request_keys_owner_fkey references accounts (account_id),
  key text,
  -- SHA-256 over the name and the body of the call.
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null,
  constraint request_keys_pkey primary key (owner, key)
);
create index request_keys_created_at_idx on request_keys (created_at);

-- Facts about the whole deployment, the same for every process.
create table deployment_facts (
  name text constraint deployment_facts_pkey primary key,
  value text not null
);

-- A row is a change of an object of an account, numbered in the order of commits, so that a browser that was
-- disconnected can be sent what it missed. Kept for an hour, and at most the newest 100 000 (job changes.prune). A
-- browser that was away longer fetches everything again.
create table changes (
  id bigint generated always as identity constraint changes_pkey primary key,
  -- Null only within the transaction that inserts the row.
  seq bigint constraint changes_seq_key unique,
  account text not null,
  topic text not null,
  object_id text not null,
  at timestamptz not null default now()
);
create index changes_account_idx on changes (account, seq);
create index changes_at_idx on changes using brin (at);

-- The last number that was assigned.
create table change_position (
  is_only boolean default true
    constraint change_position_pkey primary key
    constraint change_position_is_only_check check (is_only),
  seq bigint not null
);

insert into change_position (seq) values (0);

-- How far this database got at each provider. The provider keeps the same number (platform/careful/claims.ts).
create table claims (
  place text constraint claims_pkey primary key,
  number bigint not null default 0,
  -- Why nothing is swept there; null if all is well.
  problem text constraint claims_problem_check check (problem in ('behind', 'stranger', 'missing')),
  -- Set by the operator: the next sweep takes the provider over as it is.
  resume boolean not null default false,
  -- Last series of documents that the claim at the place mentions. A restored database may have lost it.
  series integer not null default 0
);

-- Objects at a provider that no row refers to.
create table strays (
  object text,
  place text,
  found_at timestamptz not null,
  stopped_at timestamptz,
  -- Set by the operator: the next sweep destroys it.
  doomed boolean not null default false,
  kind text not null constraint strays_kind_check check (kind in ('instance', 'zone', 'files')),
  constraint strays_pkey primary key (place, object)
);

-- A row is something that only one process holds at a time, such as the channel of an agent or the relay connection of
-- a host. Written by the process that holds it (take, renew, release) and by any process (expiry of leases whose holder
-- died).
create table leases (
  kind text,
  -- The held object, such as an instance's id.
  name text,
  -- New each time it is taken, such as a connection's id.
  holder text not null constraint leases_holder_key unique,
  -- Where other processes reach the holder; null if they cannot.
  place text,
  -- Not part of any index, so that frequent writes stay cheap (HOT).
  renewed_at timestamptz not null,
  constraint leases_pkey primary key (kind, name)
) with (fillfactor = 70);

-- Accounts with an open stream of changes on any process. A row lapses unless a process renews it.
create unlogged table watchers (
  account text constraint watchers_pkey primary key,
  -- Topics of which the account is sent the changes of all accounts.
  everybodys text[] not null,
  until timestamptz not null
);

-- When a frequent change of an object, which is not numbered, was last published, over all processes.
create unlogged table fleeting_changes (
  topic text,
  object_id text,
  at timestamptz not null,
  constraint fleeting_changes_pkey primary key (topic, object_id)
);

-- Why acts that cannot be undone have to wait (platform/careful). A row exists only while the doubt lasts.
create table doubts (
  -- careful: this deployment was restored or copied. clock: its time jumped. stop: nothing ran for a while, and no
  -- outside clock says for how long. The others: an outside source was not yet asked whether it knows more than this
  -- database.
  about text
    constraint doubts_pkey primary key
    constraint doubts_about_check check (about in ('careful', 'clock', 'stop', 'gateway', 'vault') or about like
      'zones %' or about like 'provider %'),
  since timestamptz not null,
  why text not null,
  -- Of `stop`: when a process last recorded that it ran.
  due_from timestamptz,
  constraint doubts_due_from_check check ((about = 'stop') = (due_from is not null))
);

-- A row is something outside that is newer than this database. It is accepted when the operator resumes.
create table evidence (
  about text constraint evidence_about_check check (about in ('gateway', 'zones', 'vault', 'provider')),
  object text,
  -- Description for the operator.
  detail text not null,
  found_at timestamptz not null,
  accepted_at timestamptz,
  constraint evidence_pkey primary key (about, object)
);

-- Each time that careful mode was ended. Documents continue in a new series from there.
create table resumptions (
  number integer constraint resumptions_pkey primary key constraint resumptions_number_check check (number > 0),
  careful_since timestamptz not null,
  why text not null,
  resumed_at timestamptz not null
);

-- The wall-clock time as a process last wrote it, every minute. It shows whether time jumped while no process ran.
create table clock_marks (
  is_only boolean default true
    constraint clock_marks_pkey primary key
    constraint clock_marks_is_only_check check (is_only),
  at timestamptz not null,
  -- Since when the clock has not jumped, while it is in doubt.
  steady_since timestamptz not null
);

-- Each process writes its row every 10 s. The row shows that the process can write, and that the database is still the
-- one that it wrote to before.
create table heartbeats (
  process text constraint heartbeats_pkey primary key,
  number bigint not null,
  at timestamptz not null,
  -- Version, host and roles (separated by commas) of the process, for the operator.
  version text,
  host text,
  roles text,
  -- How far the clock of the process is ahead of the database's, ms.
  ahead_ms double precision,
  started_at timestamptz,
  -- Size of the disk that holds the process's data, and free space on it, bytes.
  disk_total bigint,
  disk_free bigint,
  -- Ids of the secret keys that the process can open values with, separated by commas. The key for new values is first.
  keys text
);

-- When the queue last ran a job, by the database's clock.
create table queue_heartbeat (
  is_only boolean default true
    constraint queue_heartbeat_pkey primary key
    constraint queue_heartbeat_is_only_check check (is_only),
  at timestamptz not null
);

-- How much of each scarce resource (names, mails, audit records) was used recently, by account and by network.
-- Unlogged: commits do not wait for the disk, and after a crash all counts start at zero.
create unlogged table rate_counts (
  -- The resource, `account` or `network`, and which one, separated by spaces.
  key text constraint rate_counts_pkey primary key,
  -- When none of the use counts any longer.
  full_at timestamptz not null
);
create index rate_counts_full_at on rate_counts (full_at);

-- Secret keys that replaced this deployment's first one. The keys themselves are in no database.
create table secret_keys (
  id text constraint secret_keys_pkey primary key,
  -- Since when new values are made with the key.
  current_at timestamptz not null,
  -- Since when every process that was running has made new values with the key; null: not observed yet.
  settled_at timestamptz,
  -- Why something was not moved to the key in the last attempt; null: nothing failed.
  problem text
);

-- Seals of the audit chain and of the ledger's chains, made again with another key after the chain was verified with
-- the previous one.
create table seals_again (
  -- SHA-256 of the identity of the chain, hex.
  chain text,
  seq bigint,
  key_id text,
  mac text not null,
  at timestamptz not null default now(),
  constraint seals_again_pkey primary key (chain, seq, key_id)
);

-- Everything that is numbered in the order of commits (audit records, changes) first takes this lock, at the end of a
-- transaction, and holds it until the transaction has committed. There is one lock for all of them, because two could
-- be taken in either order. PostgreSQL orders notifications in the same way, so this costs no parallelism.
create function lock_commit_order() returns void language sql volatile
  return pg_advisory_xact_lock(7001, 2);

create function changes_number() returns trigger language plpgsql as $$
declare
  next_seq bigint;
begin
  perform lock_commit_order();
  update change_position set seq = seq + 1 returning seq into strict next_seq;
  update changes set seq = next_seq where id = new.id;
  perform pg_notify('atoll_change',
    json_build_object('seq', next_seq, 'account', new.account, 'topic', new.topic, 'id', new.object_id)::text);
  return null;
end $$;

-- Also publishes a change of a member's cluster to the owners of the domains.
create function changes_of_members() returns trigger language plpgsql as $$
begin
  insert into changes (account, topic, object_id)
    select domains.userid, new.topic, new.object_id
    from accounts join domain_members on domain_members.did = accounts.did
      join domains on domains.number = domain_members.domain
    where accounts.account_id = new.account and domains.userid <> new.account and domains.released_at is null;
  return null;
end $$;

-- At the end of the transaction: numbers are in the order of commits, and a reader that sees one number sees all before
-- it.
create constraint trigger changes_number after insert on changes
  deferrable initially deferred for each row execute function changes_number();
-- Not for the rows that the function inserts: the owner of a domain may be a member of another domain, whose owner is
-- not to see this change.
create trigger changes_of_members after insert on changes for each row
  when (new.topic = 'cluster' and pg_trigger_depth() = 0) execute function changes_of_members();
create trigger seals_again_append_only before update or delete on seals_again
  for each row execute function audit_refuse();
create trigger seals_again_no_truncate before truncate on seals_again
  for each statement execute function audit_refuse();
