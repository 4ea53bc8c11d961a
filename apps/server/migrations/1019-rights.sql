-- Archives of all data about an account, for its owner. Kept for seven days.
create table account_exports (
  id text constraint account_exports_pkey primary key,
  account_id text not null constraint account_exports_account_id_fkey references accounts (account_id),
  state text not null constraint account_exports_state_check check (state in ('making', 'ready', 'failed', 'gone')),
  -- The owner, or a staff member if the owner did not request it.
  asked_by text not null constraint account_exports_asked_by_fkey references accounts (account_id),
  asked_at timestamptz not null,
  ready_at timestamptz,
  until_at timestamptz,
  size integer,
  -- The archive; null until it is ready, and once it is deleted.
  bytes bytea
);
create index account_exports_account_idx on account_exports (account_id, asked_at desc);
-- Only one archive of an account is made at a time.
create unique index account_exports_making_key on account_exports (account_id) where state = 'making';
create index account_exports_until_idx on account_exports (until_at) where state = 'ready';

-- The end of an account that its owner closed, and how far it is.
create table account_erasures (
  account_id text
    constraint account_erasures_pkey primary key
    constraint account_erasures_account_id_fkey references accounts (account_id),
  reminded_at timestamptz,
  -- Its clusters, backups and domains go from then on.
  begun_at timestamptz,
  erased_at timestamptz
);

-- Issued documents as they were, of accounts that are erased.
create table erased_documents (
  document_id text constraint erased_documents_pkey primary key,
  account_id text not null constraint erased_documents_account_id_fkey references accounts (account_id),
  -- Sealed under the deployment's key.
  box text not null,
  kept_until timestamptz not null
);
create index erased_documents_until_idx on erased_documents (kept_until);
