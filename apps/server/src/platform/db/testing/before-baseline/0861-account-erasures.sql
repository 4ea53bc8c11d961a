-- The end of an account that closed: how far it is, what is kept of it sealed, and names that nobody gets for a year.
create table account_erasures (
  account_id text primary key references accounts (account_id),
  reminded_at timestamptz,
  -- Its clusters, backups and domains go from then on.
  begun_at timestamptz,
  erased_at timestamptz
);

-- Issued documents as they were, of accounts that are erased.
create table erased_documents (
  document_id text primary key,
  account_id text not null references accounts (account_id),
  -- Sealed under the deployment's key.
  box text not null,
  kept_until timestamptz not null
);
create index erased_documents_until_idx on erased_documents (kept_until);

-- By hash alone, which no key is part of.
create table resting_names (
  hash text primary key,
  until_at timestamptz not null
);

-- An erased account has a pseudonym in place of its DID.
alter table accounts drop constraint accounts_did_check;
alter table accounts add constraint accounts_did_check
  check ((did like 'did:key:z6Mk%' or did ~ '^customer-[0-9a-f]{12}$') and length(did) <= 60);
