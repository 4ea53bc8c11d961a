-- A row is a DID that registered here. A did:key resolves without this table; the row records that its owner uses this
-- deployment.
create table dids (
  did text
    constraint dids_pkey primary key
    constraint dids_did_check check (did like 'did:key:z6Mk%' and length(did) <= 60),
  registered_at timestamptz not null
);

-- A row binds a name, `name@domain`, to a DID. A name has one DID, and a DID has one name. A name is released only
-- together with its domain, or when the owner of the domain removes it.
create table names (
  name text
    constraint names_pkey primary key
    constraint names_name_check check (name ~ '^[a-z0-9]{2,63}@[a-z0-9.-]{1,190}$'),
  did text not null constraint names_did_key unique constraint names_did_fkey references dids (did),
  bound_at timestamptz not null
);
create index names_domain_idx on names (split_part(name, '@', 2));

-- Released names and the DIDs that held them. For 90 days only the same DID can take the name again.
create table name_history (
  name text not null,
  did text not null constraint name_history_did_fkey references dids (did),
  released_at timestamptz not null,
  -- True if the owner of the domain removed the ID. For a year nobody can take the name unless that owner assigns it.
  is_removal boolean not null default false
);
create index name_history_name_idx on name_history (name, released_at desc);

-- By hash alone, which no key is part of.
create table resting_names (
  hash text constraint resting_names_pkey primary key,
  until_at timestamptz not null
);
