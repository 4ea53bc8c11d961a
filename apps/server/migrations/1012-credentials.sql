-- Keys that sign credentials. At most one is current.
create table issuer_keys (
  did text constraint issuer_keys_pkey primary key,
  -- The private key, sealed.
  sealed text not null,
  created_at timestamptz not null,
  -- When the key stopped issuing. Credentials that it signed stay valid.
  retired_at timestamptz
);
create unique index issuer_keys_current_key on issuer_keys ((true)) where retired_at is null;

-- A row is a credential that was issued for a domain.
create table credentials (
  -- urn:uuid:…
  id text constraint credentials_pkey primary key,
  -- Number of the domain.
  domain bigint not null,
  userid text not null constraint credentials_userid_fkey references accounts (account_id),
  issuer text not null constraint credentials_issuer_fkey references issuer_keys (did),
  -- Position in the status lists, chosen at random.
  list integer not null,
  list_index integer not null constraint credentials_list_index_check check (list_index between 0 and 131071),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- The wallet's application, and the response to it.
  application_id text,
  response_id text,
  constraint credentials_list_key unique (list, list_index)
);
create index credentials_application_idx on credentials (application_id) where application_id is not null;
create index credentials_domain_idx on credentials (domain);
create index credentials_expires_idx on credentials (expires_at) where revoked_at is null;
create index credentials_revoked_idx on credentials (list) where revoked_at is not null;

-- Presentations that were received. The same presentation gets the same answer again; another one with the same nonce
-- gets none.
create table presentation_nonces (
  -- DID.
  holder text,
  nonce text,
  presentation_hash text not null,
  at timestamptz not null,
  constraint presentation_nonces_pkey primary key (holder, nonce)
);
create index presentation_nonces_at_idx on presentation_nonces (at);
