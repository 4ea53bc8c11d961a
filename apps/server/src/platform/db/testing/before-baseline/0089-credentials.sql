-- Credentials of custom domains (module credentials): who owns which, said by a key of ours.

create table issuer_keys (
  did text constraint issuer_keys_pkey primary key,
  -- The private key, sealed.
  sealed text not null,
  created_at timestamptz not null,
  -- Issues nothing any more; what it signed stays valid.
  retired_at timestamptz
);
create unique index issuer_keys_current_key on issuer_keys ((true)) where retired_at is null;

create table credentials (
  -- urn:uuid:…
  id text constraint credentials_pkey primary key,
  domain bigint not null,
  userid text not null constraint credentials_userid_fkey references accounts (userid),
  issuer text not null constraint credentials_issuer_fkey references issuer_keys (did),
  -- Its place in the status lists, chosen at random.
  list integer not null,
  list_index integer not null constraint credentials_list_index_check check (list_index between 0 and 131071),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint credentials_list_key unique (list, list_index)
);
create index credentials_domain_idx on credentials (domain);
create index credentials_revoked_idx on credentials (list) where revoked_at is not null;

-- What was presented: the same once more gets the same answer, another with its nonce none.
create table presentation_nonces (
  holder text not null,
  nonce text not null,
  presentation_hash text not null,
  at timestamptz not null,
  constraint presentation_nonces_pkey primary key (holder, nonce)
);
create index presentation_nonces_at_idx on presentation_nonces (at);
