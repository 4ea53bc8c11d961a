-- A row is the terms on which something was sold, identified by their hash. It is written at the first sale on these
-- terms and never changed, whatever the catalogue says later. Items of subscriptions and invoices refer to it.
create table prices (
  id text constraint prices_pkey primary key constraint prices_id_check check (id ~ '^price_[0-9a-f]{64}$'),
  -- JSON text, kept byte for byte because the hash is over it.
  terms text not null,
  created_at timestamptz not null
);

-- Catalogues as they were applied, where ATOLL_CATALOG_APPLY is `asked`. The newest one is in use.
create table applied_catalogs (
  number bigint generated always as identity constraint applied_catalogs_pkey primary key,
  text text not null,
  -- JSON: the texts of the catalogue's scripts, by file name.
  scripts text not null,
  hash text not null,
  applied_at timestamptz not null,
  -- Null: the first start, or the operator's command.
  applied_by text constraint applied_catalogs_applied_by_fkey references accounts (account_id)
);

create trigger prices_append_only before update or delete on prices for each row execute function audit_refuse();
create trigger prices_no_truncate before truncate on prices for each statement execute function audit_refuse();
