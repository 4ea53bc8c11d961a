-- oldest program: 0.1.0
-- The catalogue as it was applied, where ATOLL_CATALOG_APPLY is `asked`: the newest is in use.
create table applied_catalogs (
  number bigint generated always as identity constraint applied_catalogs_pkey primary key,
  text text not null,
  -- JSON: the texts of its scripts by their file names.
  scripts text not null,
  hash text not null,
  applied_at timestamptz not null,
  -- Who did; null: the first start, or the operator's command.
  applied_by text constraint applied_catalogs_applied_by_fkey references accounts (account_id)
);
