-- The keys that sign statements: one signs, those before it stay, as statements that they signed stay sound. The first
-- is the one that was always derived from the deployment's secret.
create table statement_keys (
  -- Ed25519, hex.
  public_key text constraint statement_keys_pkey primary key,
  -- The seed of its private key, sealed.
  sealed text not null,
  created_at timestamptz not null,
  -- Signs nothing from then on.
  retired_at timestamptz
);
create unique index statement_keys_current_key on statement_keys ((true)) where retired_at is null;
