-- oldest program: 0.1.0
-- Keys that this deployment was given in the place of its first one. The keys themselves are in no database.
create table secret_keys (
  id text constraint secret_keys_pkey primary key,
  -- Since when new values are made with it.
  current_at timestamptz not null,
  -- Since when every process that was alive then has made new values with it; null: not seen yet.
  settled_at timestamptz,
  -- What kept something from being moved to it the last time; null: nothing did.
  problem text
);

-- Ids of the keys that a process opens with, the one for new values first, separated by commas.
alter table heartbeats add column keys text;

-- Seals of the chains of audit and ledger, made again with another key once the chain was verified with the one before.
create table seals_again (
  -- SHA-256 of which chain it is, hex.
  chain text not null,
  seq bigint not null,
  key_id text not null,
  mac text not null,
  at timestamptz not null default now(),
  constraint seals_again_pkey primary key (chain, seq, key_id)
);
create trigger seals_again_append_only before update or delete on seals_again
  for each row execute function audit_refuse();
create trigger seals_again_no_truncate before truncate on seals_again
  for each statement execute function audit_refuse();
