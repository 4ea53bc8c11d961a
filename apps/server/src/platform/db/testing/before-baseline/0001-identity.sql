-- DIDs that registered here. A did:key resolves without this table; a row says that its owner uses this deployment.
create table dids (
  did text constraint dids_pkey primary key,
  registered_at timestamptz not null,
  constraint dids_did_check check (did like 'did:key:z6Mk%' and length(did) <= 60)
);

-- name@domain and the DID it is bound to, unique both ways. A name is never taken back or moved by itself.
create table names (
  name text constraint names_pkey primary key,
  did text not null constraint names_did_key unique constraint names_did_fkey references dids (did),
  bound_at timestamptz not null,
  constraint names_name_check check (name ~ '^[a-z0-9]{2,63}@[a-z0-9.-]{1,190}$')
);
