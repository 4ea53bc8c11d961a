-- Custom domains that are handed on (module domains): offered by whoever has one to a member, signed by both.

create table domain_transfers (
  id text constraint domain_transfers_pkey primary key,
  domain bigint not null constraint domain_transfers_domain_fkey references domains on delete cascade,
  from_did text not null,
  to_did text not null constraint domain_transfers_to_fkey references dids (did),
  -- In front of the @.
  to_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- What whoever hands it on signed; kept, as it is why the domain changed hands.
  signed_jws text,
  signed_at timestamptz,
  ended_at timestamptz,
  ended_by text constraint domain_transfers_ended_by_check
    check (ended_by in ('accepted', 'withdrawn', 'declined', 'lapsed', 'removed')),
  constraint domain_transfers_ended_check check ((ended_at is null) = (ended_by is null)),
  constraint domain_transfers_signed_check check ((signed_at is null) = (signed_jws is null))
);
create unique index domain_transfers_open_key on domain_transfers (domain) where ended_at is null;
create index domain_transfers_to_idx on domain_transfers (to_did) where ended_at is null;
